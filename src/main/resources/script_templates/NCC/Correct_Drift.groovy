// Corrects the drift of a stack. Runs the command of the menu, which opens the corrected stack with the axes and the calibration of the image.
#@ net.imglib2.img.Img (label = "Stack") stack
#@ Integer (label = "Maximum shift, pixels", value = 40) shift
#@ CommandService commands
#@output String shifts

// omitted parameters have their defaults; no dialog opens
module = commands.run("sc.fiji.ncc.command.CorrectDriftCommand", true, "image", stack, "maxshift", "$shift,$shift".toString(), "plot", false).get()
if (module.isCanceled()) throw new IllegalArgumentException(module.getCancelReason())

// the shift of each frame in pixels; module.getOutput("output") is the corrected stack
drift = module.getOutput("drift")
shifts = drift.frames().collect { "frame ${it.frame() + 1}: ${it.shift()}, score ${it.score()}, ${it.state().toString().toLowerCase()}" }.join("\n")
