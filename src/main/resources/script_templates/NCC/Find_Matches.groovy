// Finds a template in every plane of an image, by the classes that the commands use themselves.
#@ net.imglib2.img.Img (label = "Image") image
#@ net.imglib2.img.Img (label = "Template", autoFill = false) template
#@ Double (label = "Score, at least", value = 0.7) score
#@output String found

import sc.fiji.ncc.NormalizedCrossCorrelation
import sc.fiji.ncc.TemplateMatching

correlation = NormalizedCrossCorrelation.of(template)
result = TemplateMatching.with(correlation).minScore(score).maxMatches(20).find(image)

// position: the first pixel of the window; frame: where in the dimensions beyond the template's
found = result.matches().collect { "${it.position()} in plane ${it.frame()}: ${it.score()}" }.join("\n")
println(result.rankings().get(0).explain())
