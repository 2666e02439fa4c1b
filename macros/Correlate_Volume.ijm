// Correlates a volume with a part of it or with another volume. Writes the correlation map and a table of matches.
// Runs in Fiji and in plain ImageJ, with windows or without:
//   ImageJ -batch macros/Correlate_Volume.ijm "image=/data/stack.tif template=40,30,12,32,32,8 output=/data/result"
// The template is the path of a stack, or a box x,y,z,width,height,depth of the image itself, z from 0. Put values with blanks in brackets.
// Without an argument, dialogs open.

argument = getArgument();
if (argument == "") {
	image = File.openDialog("Volume");
	template = File.openDialog("Template, a smaller volume");
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
table = output + File.separator + name + "-matches.csv";
// delete the results of an earlier run
if (File.exists(map)) deleted = File.delete(map);
if (File.exists(table)) deleted = File.delete(table);

setBatchMode(true);
before = openIDs();
open(image);
volume = getTitle();
part = openTemplate(template);
run("Normalized Cross-Correlation...", "image=[" + volume + "] template=[" + part + "]");
selectImage("NCC of " + volume);
saveAs("Tiff", map);
run("Find Matches...", "image=[" + volume + "] template=[" + part + "] maxmatches=20");
Table.save(table, "Results");
closeSince(before);

// opens the template or cuts it from the volume; returns its title
function openTemplate(template) {
	if (File.exists(template)) {
		open(template);
		return getTitle();
	}
	box = split(template, ",");
	if (box.length != 6) fail("The template is neither a file nor x,y,z,width,height,depth: " + template);
	selectImage(volume);
	makeRectangle(parseInt(box[0]), parseInt(box[1]), parseInt(box[3]), parseInt(box[4]));
	run("Duplicate...", "title=template duplicate range=" + (parseInt(box[2]) + 1) + "-" + (parseInt(box[2]) + parseInt(box[5])));
	cut = getTitle();
	selectImage(volume);
	run("Select None");
	return cut;
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
