// Measures the motion of windows along a stack. Runs the command of the menu, which opens the motion, the arrows, and speed, divergence, vorticity and strains as images.
#@ net.imglib2.img.Img (label = "Stack") stack
#@ String (label = "Window, pixels", value = "32") window
#@ Integer (label = "Maximum shift, pixels", value = 10) shift
#@ Boolean (label = "One motion for all pairs of frames", value = false) ensemble
#@ CommandService commands
#@output String motion

// omitted parameters have their defaults; no dialog opens
module = commands.run("sc.fiji.ncc.command.MotionFieldCommand", true, "image", stack, "window", window, "maxshift", "$shift".toString(), "derived", true,
	"ensemble", ensemble).get()
if (module.isCanceled()) throw new IllegalArgumentException(module.getCancelReason())

// the mean of the valid vectors of each frame in pixels; module.getOutput("output") is the motion as an image, module.getOutput("maps") the derived maps
fields = module.getOutput("motion").fields()
motion = fields.collect { field ->
	def valid = field.vectors().findAll { it.isValid() }
	def mean = (0..<field.grid().dimensions()).collect { d -> valid.isEmpty() ? Double.NaN : valid.sum { it.motion()[d] } / valid.size() }
	"frame ${field.to() + 1}: ${valid.size()} of ${field.vectors().size()} windows, mean $mean"
}.join("\n")
