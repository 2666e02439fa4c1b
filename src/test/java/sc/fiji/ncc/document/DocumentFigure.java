package sc.fiji.ncc.document;

import java.nio.file.Path;
import java.util.List;

/**
 * A picture of the documents: {@code src/doc/NAME.png}. Each has tables in {@code src/doc/data} that hold what it shows.
 *
 * @param name of the file without {@code .png}
 * @param kind what makes it
 * @param tables the names of its tables
 */
public record DocumentFigure(String name, Kind kind, List<String> tables) {

	/** What makes a picture. */
	public enum Kind {
		/** {@code Documents --draw}, from the numbers in the tables. */
		CHART,
		/** {@code Documents --windows}: a window of plain ImageJ. Its table has the texts of the window, one a row. */
		WINDOW,
		/** {@code Documents --windows}: a picture that the program itself writes. Its table has the texts in it. */
		RESULT,
		/** {@code FijiPicture}: windows of ImageJ2. Its table has the texts of the dialog. */
		IMAGEJ2
	}

	/** All pictures. */
	public static final List<DocumentFigure> ALL = List.of(
		chart("against-opencv", "against-opencv-epyc-17", "against-opencv-epyc-25", "against-opencv-xeon-17", "against-opencv-xeon-25"),
		chart("sides-planes", "sides-planes"),
		chart("sides-volumes", "sides-volumes"),
		chart("sides-gpu", "sides-gpu"),
		chart("convolution-maps", "convolution-map-cpu", "convolution-map-gpu"),
		chart("small-shifts-float", "small-shifts-gpu"),
		chart("small-shifts-8-bit", "small-shifts-gpu"),
		window("dialog-find-matches"), window("dialog-correlate"), window("dialog-advanced"), window("dialog-track-templates"), window("dialog-convolve"),
		window("matches"), window("map"), window("results"), window("preview"), window("tracks"), window("motion"), window("convolved"),
		window("plan-table"), window("devices"), window("dialog-find-rotated-matches"), window("dialog-correct-drift"), window("dialog-correct-motion"),
		window("before-after"), window("dialog-register-images"), window("dialog-motion-field"), window("arrows"), window("dialog-stitch-tiles"), window("links"),
		new DocumentFigure("dialog-fiji", Kind.IMAGEJ2, List.of("picture-dialog-fiji")),
		result("coins"), result("planner-map"), result("false-alarms"));

	public Path file() {
		return Path.of("src", "doc", name + ".png");
	}

	private static DocumentFigure chart(final String name, final String... tables) {
		return new DocumentFigure(name, Kind.CHART, List.of(tables));
	}

	private static DocumentFigure result(final String name) {
		return new DocumentFigure(name, Kind.RESULT, List.of("picture-" + name));
	}

	private static DocumentFigure window(final String name) {
		return new DocumentFigure(name, Kind.WINDOW, List.of("picture-" + name));
	}
}
