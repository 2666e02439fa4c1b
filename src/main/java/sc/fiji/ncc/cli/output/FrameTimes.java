package sc.fiji.ncc.cli.output;

import java.util.List;
import java.util.Locale;

import sc.fiji.ncc.result.StreamReport;

/** The times of a stream, for the user. */
public final class FrameTimes {

	private FrameTimes() {}

	/**
	 * The number of frames and the time that each took. Empty for a single image.
	 *
	 * @param folder the images of a folder; null if there is no folder
	 */
	public static String text(final StreamReport report, final List<String> folder) {
		if (report.frames() == 1 && folder == null) return "";
		return String.format(Locale.ROOT, ", %d frames%s, %.2f ms each, %.1f ms from reading one to its result", report.frames(),
			folder == null ? "" : " of " + folder.size() + " files", 1e3 * report.seconds() / Math.max(1, report.frames()), 1e3 * report.latency());
	}
}
