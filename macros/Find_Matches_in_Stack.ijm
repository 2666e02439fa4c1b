// Finds several templates in every plane of a stack or hyperstack. Writes a table of matches, and the stack with boxes around the matches.
// Runs in Fiji and in plain ImageJ, with windows or without:
//   ImageJ -batch macros/Find_Matches_in_Stack.ijm "image=/data/stack.tif templates=/data/a.tif,/data/b.tif output=/data/result"
// minscore, maxmatches and maxoverlap are optional. Put values with blanks in brackets. Without an argument, dialogs open.

argument = getArgument();
if (argument == "") {
	image = File.openDialog("Stack");
	templates = newArray(File.openDialog("First template"), File.openDialog("Second template"));
	output = getDirectory("Folder for the results");
	options = "";
} else {
	image = value(argument, "image", "");
	templates = split(value(argument, "templates", ""), ",");
	output = value(argument, "output", "");
	options = "" + option(argument, "minscore") + option(argument, "maxmatches") + option(argument, "maxoverlap");
}
if (!File.exists(image)) fail("The image " + image + " does not exist");
name = File.getNameWithoutExtension(image);
File.makeDirectory(output);
table = output + File.separator + name + "-matches.csv";
boxes = output + File.separator + name + "-matches.tif";
// delete the results of an earlier run
if (File.exists(table)) deleted = File.delete(table);
if (File.exists(boxes)) deleted = File.delete(boxes);

setBatchMode(true);
before = openIDs();
open(image);
stack = getTitle();
titles = "";
for (i = 0; i < templates.length; i++) {
	if (!File.exists(templates[i])) fail("The template " + templates[i] + " does not exist");
	open(templates[i]);
	titles = titles + getTitle() + "; ";
}
run("Find Matches...", "image=[" + stack + "] templates=[" + titles + "]" + options);
selectImage(stack);
saveAs("Tiff", boxes);
Table.save(table, "Results");
closeSince(before);

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
