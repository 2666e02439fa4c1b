// Measures the drift of a stack and returns the corrected stack. Uses the Java classes in place of the command.
#@ net.imglib2.img.Img (label = "Stack") stack
#@ Integer (label = "Maximum shift, pixels", value = 40) shift
#@output net.imglib2.img.Img corrected

import sc.fiji.ncc.DriftCorrection
import sc.fiji.ncc.option.DriftReference
import sc.fiji.ncc.option.Interpolation
import sc.fiji.ncc.option.Outside

// dimensions beyond the first two are frames
drift = DriftCorrection.ofFrames(2).reference(DriftReference.MULTI).maxShift(shift, shift).measure(stack)
drift.frames().each { println("frame ${it.frame() + 1}: ${it.shift()}, score ${it.score()}, ${it.state().toString().toLowerCase()}") }
corrected = DriftCorrection.correct(stack, 2, drift, Interpolation.CUBIC, Outside.BLACK)
