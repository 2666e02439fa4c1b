// Finds a template in all images of a folder. Writes all matches to one table.
// Runs in Fiji and in plain ImageJ, with windows or without:
//   ImageJ -batch macros/Find_Matches_in_Folder.ijm "images=/data/frames/ template=/data/coin.tif output=/data/matches.csv minscore=0.6"
// minscore, maxmatches and maxoverlap are optional. Put values with blanks in brackets. Without an argument, dialogs open.
// The macro writes the table after the last image. If the table exists, the run was successful.

argument = getArgument();
if (argument == "") {
	images = getDirectory("Folder of images");
	template = File.openDialog("Template");
	output = getDirectory("Folder for the table") + "matches.csv";
	options = "";
} else {
	images = value(argument, "images", "");
	template = value(argument, "template", "");
	output = value(argument, "output", "");
	options = "" + option(argument, "minscore") + option(argument, "maxmatches") + option(argument, "maxoverlap");
}
if (!File.isDirectory(images)) fail("The folder " + images + " does not exist");
if (!File.exists(template)) fail("The template " + template + " does not exist");
if (!endsWith(images, "/") && !endsWith(images, File.separator)) images = images + File.separator;
// delete the results of an earlier run
if (File.exists(output)) deleted = File.delete(output);

setBatchMode(true);
before = openIDs();
run("Clear Results");
open(template);
rename("template of the folder");
templateName = getTitle();
colours = bitDepth() == 24;
files = inOrder(getFileList(images));
count = 0;
for (i = 0; i < files.length; i++) {
	if (!isImage(files[i])) continue;
	if (images + files[i] == template) continue;
	open(images + files[i]);
	// images are searched as the template is: in colours, or in gray
	if (colours && bitDepth() != 24) run("RGB Color");
	if (!colours && bitDepth() == 24) run("8-bit");
	image = getTitle();
	run("Find Matches...", "image=[" + image + "] template=[" + templateName + "] append=true" + options);
	selectImage(image);
	close();
	count++;
}
if (count == 0) fail("The folder " + images + " has no images");
for (i = 0; i < nResults; i++) setResult("Template", i, File.getName(template));
updateResults();
Table.save(output, "Results");
closeSince(before);

// sorts the files by the numbers in their names: t7 before t10
function inOrder(files) {
	keys = newArray(files.length);
	for (i = 0; i < files.length; i++) keys[i] = sortKey(toLowerCase(files[i]));
	places = Array.rankPositions(keys);
	sorted = newArray(files.length);
	for (i = 0; i < files.length; i++) sorted[i] = files[places[i]];
	return sorted;
}

// returns a text that sorts by numbers: the number of digits precedes each number
function sortKey(name) {
	text = "";
	number = "";
	for (c = 0; c <= lengthOf(name); c++) {
		letter = "";
		if (c < lengthOf(name)) letter = substring(name, c, c + 1);
		if (matches(letter, "[0-9]")) {
			if (number == "0") number = "";
			number = number + letter;
		} else {
			if (number != "") text = text + IJ.pad(lengthOf(number), 3) + number;
			number = "";
			text = text + letter;
		}
	}
	return text;
}

function isImage(name) {
	return matches(toLowerCase(name), ".*\\.(tif|tiff|png|jpg|jpeg|pgm|bmp|gif)");
}

// returns " key=value" if the argument has the key
function option(argument, key) {
	given = value(argument, key, "none");
	if (given == "none") return "";
	return " " + key + "=" + given;
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

// returns the value of key in "key=value key=[a value]"; if the argument does not have the key, returns otherwise; an empty otherwise makes it required
function value(argument, key, otherwise) {
	start = indexOf(" " + argument, " " + key + "=");
	if (start < 0 && otherwise == "") fail("The argument needs " + key + "=");
	if (start < 0) return otherwise;
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
