// Convolves an image with a kernel. Writes the result as a 32-bit TIFF file.
// Runs in Fiji and in plain ImageJ, with windows or without:
//   ImageJ -batch macros/Convolve.ijm "image=/data/coins.png kernel=/data/kernel.txt border=mirror output=/data/result"
// The kernel is the path of an image, or of a .txt file with rows of numbers. border: edge, mirror, constant (zeros) or undefined. Default: edge.
// Put values with blanks in brackets. Without an argument, dialogs open.

argument = getArgument();
border = "edge";
if (argument == "") {
	image = File.openDialog("Image");
	kernel = File.openDialog("Kernel");
	output = getDirectory("Folder for the result");
} else {
	image = value(argument, "image");
	kernel = value(argument, "kernel");
	output = value(argument, "output");
	if (indexOf(" " + argument, " border=") >= 0) border = value(argument, "border");
}
if (!File.exists(image)) fail("The image " + image + " does not exist");
if (!File.exists(kernel)) fail("The kernel " + kernel + " does not exist");

File.makeDirectory(output);
result = output + File.separator + File.getNameWithoutExtension(image) + "-convolved.tif";
// delete the results of an earlier run
if (File.exists(result)) deleted = File.delete(result);

setBatchMode(true);
before = openIDs();
open(image);
title = getTitle();
if (endsWith(kernel, ".txt")) run("Text Image... ", "open=[" + kernel + "]");
else open(kernel);
rename("kernel of " + title);

run("Convolve Image...", "image=[" + title + "] kernel=[kernel of " + title + "] border=" + border);
// without windows, a new image does not become the active image
selectImage("Convolution of " + title);
saveAs("Tiff", result);
closeSince(before);

// returns the IDs of the open images
function openIDs() {
	ids = newArray(nImages);
	for (i = 0; i < ids.length; i++) {
		selectImage(i + 1);
		ids[i] = getImageID();
	}
	return ids;
}

// closes the images that this macro opened, so that the next macro does not find two images with the same title
function closeSince(before) {
	now = openIDs();
	for (i = 0; i < now.length; i++) {
		known = false;
		for (j = 0; j < before.length; j++) if (before[j] == now[i]) known = true;
		if (!known) {
			selectImage(now[i]);
			close();
		}
	}
}

// returns the value of key in "key=value key=[a value]"
function value(argument, key) {
	start = indexOf(" " + argument, " " + key + "=");
	if (start < 0) fail("The argument needs " + key + "=");
	rest = substring(argument, start + lengthOf(key) + 1);
	if (startsWith(rest, "[")) return substring(rest, 1, indexOf(rest, "]"));
	end = indexOf(rest + " ", " ");
	return substring(rest, 0, end);
}

// ends the macro with a message; a run with -batch ends with exit code 1
function fail(message) {
	ended = call("sc.fiji.ncc.command.Batch.fail", message);
	exit(message);
}
