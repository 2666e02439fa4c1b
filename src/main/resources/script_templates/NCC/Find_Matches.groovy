// Finds a template in every plane of an image. Uses the Java classes in place of the command.
#@ net.imglib2.img.Img (label = "Image") image
#@ net.imglib2.img.Img (label = "Template", autoFill = false) template
#@ Double (label = "Minimum score", value = 0.5) score
#@output String found

import sc.fiji.ncc.NormalizedCrossCorrelation
import sc.fiji.ncc.TemplateMatching

correlation = NormalizedCrossCorrelation.of(template)
result = TemplateMatching.with(correlation).minScore(score).maxMatches(20).find(image)

// position: the first pixel of the window; frame: the position along the dimensions that the template lacks
found = result.matches().collect { "${it.position()} in plane ${it.frame()}: ${it.score()}" }.join("\n")
println(result.rankings().get(0).explain())
