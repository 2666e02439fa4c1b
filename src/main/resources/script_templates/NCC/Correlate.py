# Correlates an image with a template. Runs the command of the menu, so the map has the name, axes and calibration of the image.
#@ net.imglib2.img.Img (label = "Image") image
#@ net.imglib2.img.Img (label = "Template", autoFill = false) template
#@ CommandService commands
#@output String best

# True: SciJava sets up the command, which opens the map. Omitted parameters have their defaults; no dialog opens
command = "sc.fiji.ncc.command.NormalizedCrossCorrelationCommand"
module = commands.run(command, True, "image", image, "template", template, "extent", "same").get()
if module.isCanceled():
    raise ValueError(module.getCancelReason())

# the highest value and its position
cursor = module.getOutput("output").localizingCursor()
highest = -2
while cursor.hasNext():
    value = cursor.next().get()
    if value > highest:
        highest = value
        place = [cursor.getLongPosition(d) for d in range(cursor.numDimensions())]
best = "%.3f at %s" % (highest, place)
