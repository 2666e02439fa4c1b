// Writes which method is the fastest for images and templates of some size, what each one takes and why, what can compute here, and a
// map of the fastest methods over all sizes.
// Runs in Fiji and in plain ImageJ, with windows or without:
//   ImageJ -batch macros/Report_Plan.ijm "size=2000x2000 template=32x32 pixels=u16 output=/data/report"
// size, template, pixels, frames and effort may be left out. Without an argument it asks for the folder.

argument = getArgument();
options = "" + option(argument, "size") + option(argument, "template") + option(argument, "pixels") + option(argument, "frames") + option(argument, "effort");
if (argument == "") output = getDirectory("Folder for the report");
else output = value(argument, "output", "");
File.makeDirectory(output);
plan = output + File.separator + "plan.csv";
map = output + File.separator + "map.png";
devices = output + File.separator + "devices.csv";
// what an earlier run left must not pass for this one's
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
