// Finds several templates in every plane of a stack or hyperstack, and writes the matches, and the stack with boxes around them.
// Runs in Fiji and in plain ImageJ, with windows or without:
//   ImageJ -batch macros/Find_Matches_in_Stack.ijm "image=/data/stack.tif templates=/data/a.tif,/data/b.tif output=/data/result"
// minscore, max and overlap may be given, too. Put values with blanks in brackets. Without an argument it asks.

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
	options = "" + option(argument, "minscore") + option(argument, "max") + option(argument, "overlap");
}
if (!File.exists(image)) fail("There is no image " + image);
name = File.getNameWithoutExtension(image);
File.makeDirectory(output);
table = output + File.separator + name + "-matches.csv";
boxes = output + File.separator + name + "-matches.tif";
// what an earlier run left must not pass for this one's
if (File.exists(table)) deleted = File.delete(table);
if (File.exists(boxes)) deleted = File.delete(boxes);

setBatchMode(true);
before = openIDs();
open(image);
stack = getTitle();
titles = "";
for (i = 0; i < templates.length; i++) {
	if (!File.exists(templates[i])) fail("There is no template " + templates[i]);
	open(templates[i]);
	titles = titles + getTitle() + "; ";
}
run("Find Matches...", "image=[" + stack + "] templates=[" + titles + "]" + options);
selectImage(stack);
saveAs("Tiff", boxes);
Table.save(table, "Results");
closeSince(before);

// " key=value" if the argument has it
function option(argument, key) {
	given = value(argument, key, "none");
	if (given == "none") return "";
	return " " + key + "=" + given;
}

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

// the value of key in "key=value key=[a value]"; without a default it must be there
function value(argument, key, otherwise) {
	start = indexOf(" " + argument, " " + key + "=");
	if (start < 0 && otherwise == "") fail("The argument lacks " + key + "=");
	if (start < 0) return otherwise;
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
