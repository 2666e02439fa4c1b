// Writes a table of the algorithms for images and templates of one size with their times, a table of the devices, and a map of the fastest
// algorithms over all sizes.
// Runs in Fiji and in plain ImageJ, with windows or without:
//   ImageJ -batch macros/Report_Plan.ijm "image=2000x2000 template=32x32 type=u16 output=/data/report"
// image, template, type, frames and effort are optional. Without an argument, a dialog opens for the folder.

argument = getArgument();
options = "" + option(argument, "image") + option(argument, "template") + option(argument, "type") + option(argument, "frames") + option(argument, "effort");
if (argument == "") output = getDirectory("Folder for the report");
else output = value(argument, "output", "");
File.makeDirectory(output);
plan = output + File.separator + "plan.csv";
map = output + File.separator + "map.png";
devices = output + File.separator + "devices.csv";
// delete the results of an earlier run
if (File.exists(plan)) deleted = File.delete(plan);
if (File.exists(map)) deleted = File.delete(map);
if (File.exists(devices)) deleted = File.delete(devices);

setBatchMode(true);
before = openIDs();
run("Plan...", options + " map=true");
Table.save(plan, "Results");
saveAs("PNG", map);
run("Devices...");
Table.save(devices, "Results");
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
