// Convolves an image with a kernel, and writes the result as a 32-bit TIFF file.
// Runs in Fiji and in plain ImageJ, with windows or without:
//   ImageJ -batch macros/Convolve.ijm "image=/data/coins.png kernel=/data/kernel.txt border=mirror output=/data/result"
// The kernel is the path of an image, or of a .txt file with rows of numbers. border is edge, mirror, constant (zeros) or undefined; edge unless said.
// Put values with blanks in brackets. Without an argument it asks.

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
if (!File.exists(image)) fail("There is no image " + image);
if (!File.exists(kernel)) fail("There is no kernel " + kernel);

File.makeDirectory(output);
result = output + File.separator + File.getNameWithoutExtension(image) + "-convolved.tif";
// what an earlier run left must not pass for this one's
if (File.exists(result)) deleted = File.delete(result);

setBatchMode(true);
before = openIDs();
open(image);
title = getTitle();
if (endsWith(kernel, ".txt")) run("Text Image... ", "open=[" + kernel + "]");
else open(kernel);
rename("kernel of " + title);

run("Convolve Image...", "image=[" + title + "] kernel=[kernel of " + title + "] border=" + border);
// without windows the new image does not become the active one by itself
selectImage("Convolution of " + title);
saveAs("Tiff", result);
closeSince(before);

// the images that are open
function openIDs() {
	ids = newArray(nImages);
	for (i = 0; i < ids.length; i++) {
		selectImage(i + 1);
		ids[i] = getImageID();
	}
	return ids;
}

// closes what was opened since: the next macro must not find two images of one title
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

// the value of key in "key=value key=[a value]"
function value(argument, key) {
	start = indexOf(" " + argument, " " + key + "=");
	if (start < 0) fail("The argument lacks " + key + "=");
	rest = substring(argument, start + lengthOf(key) + 1);
	if (startsWith(rest, "[")) return substring(rest, 1, indexOf(rest, "]"));
	end = indexOf(rest + " ", " ");
	return substring(rest, 0, end);
}

// ends the macro with a message; ImageJ, if it was started with -batch, with exit code 1
function fail(message) {
	ended = call("sc.fiji.ncc.command.Batch.fail", message);
	exit(message);
}
