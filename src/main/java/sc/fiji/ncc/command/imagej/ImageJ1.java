package sc.fiji.ncc.command.imagej;

import java.awt.Frame;
import java.awt.GraphicsEnvironment;
import java.awt.Rectangle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import ij.IJ;
import ij.ImagePlus;
import ij.Macro;
import ij.WindowManager;
import ij.gui.GUI;
import ij.macro.Interpreter;
import ij.measure.ResultsTable;
import ij.plugin.filter.Analyzer;

import sc.fiji.ncc.command.Batch;
import sc.fiji.ncc.command.ConvolveImageCommand;
import sc.fiji.ncc.command.NccCommand;
import sc.fiji.ncc.command.NormalizedCrossCorrelationCommand;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.front.FileOrder;
import sc.fiji.ncc.front.Table;

/** ImageJ 1.x. Without ImageJ 1.x on the class path, each method does nothing or returns an empty value. */
public final class ImageJ1 {

	private static final boolean PRESENT = present();
	/** Size in pixels: width of a table window, height of a row and of the rest of the window. */
	private static final int WIDTH = 960, ROW = 22, FRAME = 110;
	/** The greatest number of decimals that ImageJ shows. */
	private static final int MAX_DECIMALS = 9;
	/** Share of the screen that a table window takes at most. */
	private static final double MAX_WIDTH = 0.4, MAX_HEIGHT = 0.6;

	/** Title of ImageJ's results table. */
	static final String RESULTS_TABLE = "Results";

	/** The column of the labels of rows, which ImageJ keeps apart from the others. */
	static final String LABEL = "Label";

	/** Prefixes of the titles of result images. */
	private static final List<String> RESULTS = List.of(NormalizedCrossCorrelationCommand.MAP, ConvolveImageCommand.RESULT, "Motion of ",
		"Drift of ", "Before and after, ");

	/** A title and its extension. */
	private static final Pattern TITLE = Pattern.compile("(?s)(.*?)((?:\\.[A-Za-z0-9]{1,4})?)");

	private static final Pattern IMAGE_FILE = Pattern.compile("(?i).*\\.(tiff?|png|jpe?g|gif|bmp|pgm)");

	/** What ImageJ 1.x knows of an open map: the range that it shows, and the properties that start with {@value ImageJImage#PREFIX}. */
	record ShownMap(double min, double max, Map<String, String> properties) {}

	private ImageJ1() {}

	/** @return whether ImageJ 1.x is a part of ImageJ2 */
	public static boolean isInImageJ2() {
		return ImageJ2.patchesImageJ1();
	}

	/** @return whether ImageJ 1.x is on the class path */
	static boolean isPresent() {
		return PRESENT;
	}

	static List<String> openImages() {
		return PRESENT ? List.of(WindowManager.getImageTitles()) : List.of();
	}

	/** See {@link FrontEnd#stacks}. */
	public static List<String> stacks() {
		return titles(imp -> imp.getStackSize() > 1);
	}

	/** See {@link FrontEnd#othersThan}. */
	public static List<String> othersThan(final String title) {
		final List<String> all = titles(imp -> true);
		final ImagePlus than = PRESENT ? WindowManager.getImage(title) : null;
		return titles(imp -> !imp.getTitle().equals(title) && Collections.frequency(all, imp.getTitle()) == 1
			&& (imp.getType() != ImagePlus.COLOR_RGB || than != null && than.getType() == ImagePlus.COLOR_RGB)
			&& imp.getType() != ImagePlus.COLOR_256 && RESULTS.stream().noneMatch(imp.getTitle()::startsWith)
			&& (than == null || imp.getWidth() <= than.getWidth() && imp.getHeight() <= than.getHeight()
			&& imp.getNSlices() <= than.getNSlices()));
	}

	private static List<String> titles(final Predicate<ImagePlus> which) {
		final int[] ids = PRESENT ? WindowManager.getIDList() : null;
		return ids == null ? List.of() : Arrays.stream(ids).mapToObj(WindowManager::getImage).filter(which)
			.map(ImagePlus::getTitle).toList();
	}

	/**
	 * Finds an open image by its title.
	 *
	 * @throws IllegalArgumentException if no image or several images have this title
	 */
	public static ImageInput image(final String title) {
		final List<ImageInput> found = images().stream().filter(i -> i.name().equals(title)).toList();
		if (found.size() > 1) throw new IllegalArgumentException(NccCommand.twice(title));
		if (found.isEmpty()) throw new IllegalArgumentException(NccCommand.noImage(title, openImages()));
		return found.get(0);
	}

	/** See {@link FrontEnd#folder}. */
	public static List<ImageInput> folder(final String path) {
		final List<String> files = new ArrayList<>();
		try (Stream<Path> all = Files.list(Path.of(path))) {
			all.filter(Files::isRegularFile).map(Path::toString).filter(f -> IMAGE_FILE.matcher(f).matches()).sorted(FileOrder.BY_NUMBERS)
				.forEach(files::add);
		}
		catch (final IOException | UncheckedIOException e) {
			throw new IllegalArgumentException("The folder '" + path + "' cannot be read: " + e.getMessage(), e);
		}
		if (files.isEmpty()) throw new IllegalArgumentException("The folder '" + path
			+ "' has no images. Give a folder with TIFF, PNG, JPEG, GIF, BMP or PGM files.");
		if (!PRESENT) throw new IllegalArgumentException(FolderImage.unreadable(files.get(0)));
		return files.stream().<ImageInput> map(FolderImage::new).toList();
	}

	/** @return the open images */
	static List<ImageInput> images() {
		final List<ImageInput> images = new ArrayList<>();
		final int[] ids = PRESENT ? WindowManager.getIDList() : null;
		for (final int id : ids == null ? new int[0] : ids) {
			final ImagePlus imp = WindowManager.getImage(id);
			if (imp != null) images.add(new ImageJImage(imp));
		}
		return images;
	}

	/** @return the active image; empty if no image is open */
	static Optional<ImageInput> active() {
		final ImagePlus imp = PRESENT ? WindowManager.getCurrentImage() : null;
		return Optional.ofNullable(imp).map(ImageJImage::new);
	}

	/** @return an {@code ImagePlus} as an input; empty for other objects */
	static Optional<ImageInput> input(final Object imagePlus) {
		return PRESENT && imagePlus instanceof ImagePlus ? Optional.of(new ImageJImage((ImagePlus) imagePlus)) : Optional.empty();
	}

	/**
	 * See {@link FrontEnd#show(Table, boolean)}.
	 *
	 * @param windows whether the table has a window of its own; false in macros, which read every table from ImageJ's results
	 * @return false without ImageJ 1.x
	 */
	public static boolean show(final Table table, final boolean append, final boolean windows) {
		if (!PRESENT) return false;
		if (!windows && !append) {
			// in a macro, ImageJ replaces rows without a question. But a command that has read files has ended ImageJ's macro mode
			Analyzer.setUnsavedMeasurements(false);
			Analyzer.resetCounter();
		}
		final ResultsTable shown = windows ? ResultsTable.getResultsTable(table.title()) : ResultsTable.getResultsTable();
		final ResultsTable t = shown == null || windows && !append ? new ResultsTable() : shown;
		// a table without rows has columns as well
		for (final String column : table.columns()) if (!column.equals(LABEL) && !t.columnExists(column)) t.getFreeColumn(column);
		for (final Object[] row : table.rows()) {
			t.addRow();
			for (int c = 0; c < row.length; c++) {
				final String column = table.columns().get(c);
				if (column.equals(LABEL)) t.addLabel(String.valueOf(row[c]));
				else if (row[c] instanceof Number) t.addValue(column, ((Number) row[c]).doubleValue());
				else t.addValue(column, String.valueOf(row[c]));
			}
		}
		// ImageJ shows at most MAX_DECIMALS decimals; a negative number gives powers of ten and so many decimals after the first digit
		table.decimals().forEach((column, count) -> t.setDecimalPlaces(t.getColumnIndex(column),
			count > MAX_DECIMALS ? -MAX_DECIMALS : count < 0 ? count + 1 : count));
		t.show(windows ? table.title() : RESULTS_TABLE);
		final Frame window = windows && shown == null ? WindowManager.getFrame(table.title()) : null;
		if (window != null) {
			final Rectangle screen = GUI.getMaxWindowBounds(window);
			window.setSize((int) Math.min(WIDTH, MAX_WIDTH * screen.width),
				(int) Math.min(FRAME + ROW * table.rows().size(), MAX_HEIGHT * screen.height));
			FreePlace.move(window, WindowManager.getCurrentImage());
		}
		return true;
	}

	/** See {@link FrontEnd#abortMacro}. */
	public static boolean abortMacro(final String reason) {
		Batch.end();
		if (!PRESENT || !IJ.isMacro()) return false;
		if (reason.isEmpty() || !GraphicsEnvironment.isHeadless()) {
			// abort without a dialog: a GenericDialog on the thread of a Fiji command would read the macro's options
			final Interpreter macro = Interpreter.getInstance();
			if (macro != null) {
				macro.setIgnoreErrors(true);
				macro.abort(Macro.MACRO_CANCELED);
			}
			return reason.isEmpty();
		}
		try {
			IJ.error(reason);
		}
		catch (final RuntimeException e) {
			// on the macro's own thread this exception would end the macro; this is another thread
			if (!Macro.MACRO_CANCELED.equals(e.getMessage())) throw e;
		}
		return true;
	}

	/** @return the range and the properties of an ImagePlus that these commands made; empty for other objects */
	static Optional<ShownMap> shownMap(final Object image) {
		if (!PRESENT || !(image instanceof ImagePlus)) return Optional.empty();
		final ImagePlus imp = (ImagePlus) image;
		final Map<String, String> properties = ImageJImage.properties(imp);
		return properties.isEmpty() ? Optional.empty() : Optional.of(imp.isComposite() ? new ShownMap(Double.NaN, Double.NaN,
			properties) : new ShownMap(imp.getDisplayRangeMin(), imp.getDisplayRangeMax(), properties));
	}

	/**
	 * The title of a new image. If an open image has it, a number follows before the extension, as in ImageJ: NCC of a-1.tif. ImageJ's own method does
	 * not count images of batch mode.
	 */
	static String unique(final String title) {
		final List<String> open = openImages();
		final Matcher parts = TITLE.matcher(title);
		if (!open.contains(title) || !parts.matches()) return title;
		return IntStream.iterate(1, i -> i + 1).mapToObj(i -> parts.group(1) + "-" + i + parts.group(2)).filter(t -> !open.contains(t))
			.findFirst().orElseThrow();
	}

	private static boolean present() {
		try {
			Class.forName("ij.IJ", false, ImageJ1.class.getClassLoader());
			return true;
		}
		catch (final ClassNotFoundException e) {
			return false;
		}
	}
}
