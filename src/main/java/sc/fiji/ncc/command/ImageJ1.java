package sc.fiji.ncc.command;

import java.awt.Frame;
import java.awt.GraphicsEnvironment;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import net.imglib2.img.Img;

import org.scijava.convert.ConvertService;

import ij.IJ;
import ij.ImageJ;
import ij.ImagePlus;
import ij.Macro;
import ij.WindowManager;
import ij.gui.Roi;
import ij.macro.Interpreter;
import ij.measure.ResultsTable;
import ij.plugin.filter.Analyzer;

/** ImageJ 1.x inside Fiji, if it is there; each method does nothing where it is not. */
public final class ImageJ1 {

	private static final boolean PRESENT = present();
	/** Pixels in which a table with words has room. */
	private static final int WIDE = 960;
	/** Pixels of a row, of what is around them, and of the tallest table. */
	private static final int ROW = 22, FRAME = 110, TALL = 700;

	/** The table of our results while people keep other measurements in ImageJ's. */
	private static final String OWN_RESULTS = "NCC Results";

	/** What the titles of results begin with. */
	private static final List<String> RESULTS = List.of(NormalizedCrossCorrelationCommand.MAP, ConvolveCommand.RESULT, "Motion of ");

	private ImageJ1() {}

	static List<String> openImages() {
		return PRESENT ? List.of(WindowManager.getImageTitles()) : List.of();
	}

	/** What stood on the command line of plain ImageJ. */
	static String[] arguments() {
		final String[] arguments = PRESENT ? ImageJ.getArgs() : null;
		return arguments == null ? new String[0] : arguments;
	}

	/** See {@link FrontEnd#activeImage}. */
	public static Optional<String> activeImage() {
		return PRESENT ? Optional.ofNullable(WindowManager.getCurrentImage()).map(ImagePlus::getTitle) : Optional.empty();
	}

	/** See {@link FrontEnd#isActiveSelected}. */
	public static boolean isActiveSelected() {
		final Roi roi = PRESENT && WindowManager.getCurrentImage() != null ? WindowManager.getCurrentImage().getRoi() : null;
		return roi != null && roi.isArea();
	}

	/** See {@link FrontEnd#stacks}. */
	public static List<String> stacks() {
		return titles(imp -> imp.getStackSize() > 1);
	}

	/** See {@link FrontEnd#othersThan}. */
	public static List<String> othersThan(final String title) {
		final List<String> all = titles(imp -> true);
		final ImagePlus than = PRESENT ? WindowManager.getImage(title) : null;
		return titles(imp -> !imp.getTitle().equals(title) && Collections.frequency(all, imp.getTitle()) == 1 && imp.getType() != ImagePlus.COLOR_RGB
			&& imp.getType() != ImagePlus.COLOR_256 && RESULTS.stream().noneMatch(imp.getTitle()::startsWith)
			&& (than == null || imp.getWidth() <= than.getWidth() && imp.getHeight() <= than.getHeight()));
	}

	private static List<String> titles(final Predicate<ImagePlus> which) {
		final int[] ids = PRESENT ? WindowManager.getIDList() : null;
		return ids == null ? List.of() : Arrays.stream(ids).mapToObj(WindowManager::getImage).filter(which).map(ImagePlus::getTitle).collect(Collectors.toList());
	}

	static void forgetEscape() {
		if (PRESENT) IJ.resetEscape();
	}

	static boolean escapePressed() {
		return PRESENT && IJ.escapePressed();
	}

	/** See {@link FrontEnd#macro}. */
	public static Optional<MacroOptions> macro() {
		if (!PRESENT || !IJ.isMacro()) return Optional.empty();
		final String options = Macro.getOptions();
		return Optional.of(new MacroOptions(options == null ? "" : options));
	}

	/** The image that Fiji shows for pixels; empty for pixels that it does not: asking for it would open one. */
	private static Optional<ImagePlus> open(final Img<?> image, final ConvertService convert) {
		if (!PRESENT || !ImageJ2.isDataset(image) || !convert.supports(image, ImagePlus.class)) return Optional.empty();
		return Optional.ofNullable(convert.convert(image, ImagePlus.class));
	}

	static Optional<Space> space(final Img<?> image, final ConvertService convert) {
		return open(image, convert).map(ImageJImage::space);
	}

	static Optional<Selection> selection(final Img<?> image, final String axes, final ConvertService convert) {
		return open(image, convert).flatMap(imp -> ImageJImage.selection(imp, axes));
	}

	static List<Region> managed(final Img<?> image, final String axes, final ConvertService convert) {
		return open(image, convert).map(imp -> ImageJRegions.managed(imp, axes)).orElse(List.of());
	}

	static List<Region> overlay(final Img<?> image, final String axes, final ConvertService convert) {
		return open(image, convert).map(imp -> ImageJRegions.overlay(imp, axes)).orElse(List.of());
	}

	static Optional<long[]> shown(final Img<?> image, final String axes, final ConvertService convert) {
		return open(image, convert).map(imp -> ImageJImage.plane(imp, axes));
	}

	static boolean hasArea(final Img<?> image, final ConvertService convert) {
		return open(image, convert).map(ImageJImage::hasArea).orElse(false);
	}

	static boolean isSame(final Img<?> a, final Img<?> b, final ConvertService convert) {
		return a == b || open(a, convert).isPresent() && open(a, convert).equals(open(b, convert));
	}

	/** @return false if there was something to do, and nothing to do it with */
	static boolean mark(final Img<?> image, final List<Box> boxes, final List<Way> ways, final boolean manager, final ConvertService convert) {
		return open(image, convert).map(imp -> ImageJImage.mark(imp, boxes, ways, manager)).orElse(!manager);
	}

	/**
	 * See {@link FrontEnd#show(Table, boolean)}.
	 *
	 * @param windows whether a table may have a window of its own: without windows there is only the one of the results, and macros, which run
	 *        either way, find it there in both
	 * @return false if there is nothing to show it in
	 */
	public static boolean show(final Table table, final boolean append, final boolean windows) {
		if (!PRESENT) return false;
		final boolean wanted = table.title().equals(FrontEnd.RESULTS) || !windows;
		final boolean results = wanted && (append || emptied(ResultsTable.getResultsTable(), table.columns()));
		final ResultsTable t = results ? ResultsTable.getResultsTable() : new ResultsTable();
		// a table without rows has columns, too
		for (final String column : table.columns()) if (!t.columnExists(column)) t.getFreeColumn(column);
		for (final Object[] row : table.rows()) {
			t.addRow();
			for (int c = 0; c < row.length; c++) {
				final String column = table.columns().get(c);
				if (row[c] instanceof Number) t.addValue(column, ((Number) row[c]).doubleValue());
				else t.addValue(column, String.valueOf(row[c]));
			}
		}
		table.decimals().forEach((column, count) -> t.setDecimalPlaces(t.getColumnIndex(column), count));
		final String title = results ? FrontEnd.RESULTS : wanted ? OWN_RESULTS : table.title();
		t.show(title);
		final Frame window = results ? null : WindowManager.getFrame(title);
		if (window != null) window.setSize(Math.max(WIDE, window.getWidth()), Math.max(window.getHeight(), Math.min(TALL, FRAME + ROW * table.rows().size())));
		return true;
	}

	/**
	 * Empties the results. Rows like ours are replaced; other measurements that were not saved are asked about.
	 *
	 * @return false if people would rather keep them
	 */
	private static boolean emptied(final ResultsTable results, final List<String> columns) {
		if (List.of(results.getHeadings()).equals(columns)) Analyzer.setUnsavedMeasurements(false);
		return Analyzer.resetCounter();
	}

	/** See {@link FrontEnd#show(String, BufferedImage)}. */
	public static boolean show(final String title, final BufferedImage picture) {
		if (PRESENT) new ImagePlus(WindowManager.makeUniqueName(title), picture).show();
		return PRESENT;
	}

	/**
	 * See {@link FrontEnd#show(Graph)}.
	 *
	 * @return false if there is nothing to show it in
	 */
	public static boolean show(final Graph graph) {
		final boolean possible = PRESENT && ImageJPlot.isPossible();
		if (possible) ImageJPlot.show(graph);
		return possible;
	}

	/** See {@link FrontEnd#browse}. */
	public static void browse(final String url) {
		if (PRESENT) IJ.runPlugIn("ij.plugin.BrowserLauncher", url);
	}

	/** See {@link FrontEnd#abortMacro}. */
	public static boolean abortMacro(final String reason) {
		Batch.end();
		if (!PRESENT || !IJ.isMacro()) return false;
		if (reason.isEmpty() || !GraphicsEnvironment.isHeadless()) {
			// ends it without a dialog: in the threads of Fiji's commands ImageJ takes the macro's options for the answer to one
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
			// this is how a macro's own thread ends it; the thread here is another
			if (!Macro.MACRO_CANCELED.equals(e.getMessage())) throw e;
		}
		return true;
	}

	/** Opens an image for macros. Only without windows: with them it would register the image, and its viewer would then refuse it. */
	static void show(final Img<?> image, final ConvertService convert) {
		if (!PRESENT || !convert.supports(image, ImagePlus.class)) return;
		final ImagePlus imp = convert.convert(image, ImagePlus.class);
		if (imp == null) return;
		// the conversion takes the range of the first plane
		ImageJ2.displayRange(image).ifPresent(range -> imp.setDisplayRange(range[0], range[1]));
		ImageJImage.describe(imp, ImageJ2.properties(image));
		imp.show();
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
