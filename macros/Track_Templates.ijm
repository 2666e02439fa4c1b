// Follows templates through the frames of a stack. Writes a table of positions, the stack with boxes and lines over it, and a plot of the motion.
// Runs in Fiji and in plain ImageJ, with windows or without:
//   ImageJ -batch macros/Track_Templates.ijm "image=/data/stack.tif roi=[40,30,32,32; 90,60,24,40] output=/data/result maxshift=9,9"
// roi: the templates, x,y,width,height in the reference frame. Default: the regions in the file's overlay. maxshift, update, weight, anchor, minscore,
// reference, channels and slice are optional; see src/doc/macros.md. Put values with blanks in brackets. Without an argument, dialogs open.

argument = getArgument();
before = openIDs();
if (argument == "") {
	image = File.openDialog("Stack");
	output = getDirectory("Folder for the results");
	options = "";
	if (isOpen(File.getName(image))) selectImage(File.getName(image));
	else open(image);
	stack = getTitle();
	setTool("rectangle");
	waitForUser("Track Templates", "Select the object to follow, and press OK.");
} else {
	image = value(argument, "image", "");
	output = value(argument, "output", "");
	options = "";
	keys = newArray("roi", "maxshift", "update", "weight", "anchor", "minscore", "reference", "channels", "slice");
	for (i = 0; i < keys.length; i++) options = options + option(argument, keys[i]);
	if (!File.exists(image)) fail("The image " + image + " does not exist");
	setBatchMode(true);
	open(image);
	stack = getTitle();
}
name = File.getNameWithoutExtension(image);
File.makeDirectory(output);
table = output + File.separator + name + "-tracks.csv";
tracks = output + File.separator + name + "-tracks.tif";
motion = output + File.separator + name + "-motion.png";
// delete the results of an earlier run
if (File.exists(table)) deleted = File.delete(table);
if (File.exists(tracks)) deleted = File.delete(tracks);
if (File.exists(motion)) deleted = File.delete(motion);

run("Track Templates...", "image=[" + stack + "]" + options);
selectImage("Motion of " + stack);
saveAs("PNG", motion);
selectImage(stack);
saveAs("Tiff", tracks);
Table.save(table, "Results");
closeSince(before);

// returns " key=[value]" if the argument has the key
function option(argument, key) {
	given = value(argument, key, "none");
	if (given == "none") return "";
	return " " + key + "=[" + given + "]";
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
