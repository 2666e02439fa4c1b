// Correlates an image with a template. Writes the correlation map and the best match.
// Runs in Fiji and in plain ImageJ, with windows or without:
//   ImageJ -batch macros/Correlate.ijm "image=/data/coins.png template=60,120,48,48 output=/data/result"
// The template is the path of an image, or a rectangle x,y,width,height of the image itself. Put values with blanks in brackets.
// Without an argument, dialogs open.

argument = getArgument();
if (argument == "") {
	image = File.openDialog("Image");
	template = File.openDialog("Template");
	output = getDirectory("Folder for the results");
} else {
	image = value(argument, "image");
	template = value(argument, "template");
	output = value(argument, "output");
}
if (!File.exists(image)) fail("The image " + image + " does not exist");
name = File.getNameWithoutExtension(image);
File.makeDirectory(output);
map = output + File.separator + name + "-correlation.tif";
table = output + File.separator + name + "-best.csv";
// delete the results of an earlier run
if (File.exists(map)) deleted = File.delete(map);
if (File.exists(table)) deleted = File.delete(table);

setBatchMode(true);
before = openIDs();
open(image);
imageID = getImageID();
title = getTitle();
templateTitle = openTemplate(template);

run("Normalized Cross-Correlation...", "image=[" + title + "] template=[" + templateTitle + "] extent=valid undefined=0");

// without windows, a new image does not become the active image
selectImage("NCC of " + title);
saveAs("Tiff", map);
saveBest(table);
closeSince(before);

// opens the template or cuts it from the image; returns its title
function openTemplate(template) {
	if (File.exists(template)) {
		open(template);
		return getTitle();
	}
	box = split(template, ",");
	if (box.length != 4) fail("The template is neither a file nor x,y,width,height: " + template);
	selectImage(imageID);
	makeRectangle(parseInt(box[0]), parseInt(box[1]), parseInt(box[2]), parseInt(box[3]));
	run("Duplicate...", "title=template");
	cut = getTitle();
	selectImage(imageID);
	run("Select None");
	return cut;
}

// writes the highest score in the active map, and the first pixel of its window
function saveBest(path) {
	best = -2;
	for (slice = 1; slice <= nSlices; slice++) {
		setSlice(slice);
		for (y = 0; y < getHeight(); y++) {
			for (x = 0; x < getWidth(); x++) {
				score = getPixel(x, y);
				if (score > best) {
					best = score;
					row = "" + x + "," + y + "," + slice + "," + d2s(score, 6);
				}
			}
		}
	}
	File.saveString("x,y,slice,score\n" + row + "\n", path);
}

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
