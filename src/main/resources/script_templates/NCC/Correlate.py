# Correlates an image with a template by the command of the menu: Fiji shows the map with the image's name, axes and calibration.
#@ net.imglib2.img.Img (label = "Image") image
#@ net.imglib2.img.Img (label = "Template", autoFill = false) template
#@ CommandService commands
#@output String best

command = "sc.fiji.ncc.command.NormalizedCrossCorrelationCommand"
module = commands.run(command, True, "image", image, "template", template, "extent", "same").get()
if module.isCanceled():
    raise ValueError(module.getCancelReason())

# the highest value, and where it lies
cursor = module.getOutput("output").localizingCursor()
highest = -2
while cursor.hasNext():
    value = cursor.next().get()
    if value > highest:
        highest = value
        place = [cursor.getLongPosition(d) for d in range(cursor.numDimensions())]
best = "%.3f at %s" % (highest, place)
