package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

import ij.ImagePlus;
import ij.ImageStack;
import ij.measure.ResultsTable;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.ImgView;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import org.scijava.command.Command;
import org.scijava.command.CommandModule;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.track.TrackPoint;

/** What commands say besides their results: the status bar at the end, lines of the log, and graphs, which need windows. */
class ReportsInSciJavaTest extends InSciJava {

	/** A run, its last text in the status bar, and what it wrote to the log. */
	private record Ran(CommandModule module, String summary, String log) {

		boolean says(final String line) {
			return log.contains(line);
		}
	}

	private static Ran ran(final Class<? extends Command> command, final Object... inputs) throws Exception {
		final AtomicReference<CommandModule> module = new AtomicReference<>();
		final Printed printed = Printed.during(() -> {
			module.set(run(command, inputs));
			return null;
		});
		assertFalse(module.get().isCanceled(), module.get().getCancelReason());
		return new Ran(module.get(), ((NccCommand) module.get().getCommand()).summary(), printed.text());
	}

	private static String reason(final Class<? extends Command> command, final Object... inputs) throws Exception {
		final CommandModule module = run(command, inputs);
		assertTrue(module.isCanceled(), "it was not refused");
		return module.getCancelReason();
	}

	private static TemplateMatching.Result found(final RandomAccessibleInterval<?> image, final RandomAccessibleInterval<?> template) {
		return TemplateMatching.with(NormalizedCrossCorrelation.of(template)).falseAlarms(0.05).find(image);
	}

	@Test
	void matchesAreCounted() throws Exception {
		final Img<UnsignedByteType> image = noise(60, 50);
		final Ran one = ran(FindMatchesCommand.class, "image", image, "template", cut(image, 7, 5, 9, 9), "minscore", "0.9");
		assertTrue(one.summary.matches("1 match, cpu-[a-z-]+, [0-9.e-]+ s"), one.summary);
		assertFalse(one.says("Find Matches:") || one.says(FrontEnd.NO_PLOT), one.log);
		final Ran none = ran(FindMatchesCommand.class, "image", image, "template", cut(noise(90, 90), 77, 75, 9, 9), "minscore", "1");
		assertTrue(none.summary.startsWith("0 matches, "), none.summary);
		final Ran plot = ran(FindMatchesCommand.class, "image", image, "template", cut(image, 7, 5, 9, 9), "minscore", "0.9", "plotalarms", true);
		assertTrue(plot.says(FrontEnd.NO_PLOT), plot.log);
	}

	/** The minimum score that follows from the background is in the status bar and, without windows, in the log: of several planes its range. */
	@Test
	void theMinimumScoreIsStated() throws Exception {
		final Img<UnsignedByteType> image = noise(130, 100);
		final Img<?> template = cut(image, 7, 5, 9, 9);
		final Ran plane = ran(FindMatchesCommand.class, "image", image, "template", template, "minscore", "auto");
		final String score = String.format(Locale.ROOT, "1 match, minimum score %.3f", found(image, template).minScores()[0]);
		assertTrue(plane.summary.startsWith(score), plane.summary);
		assertTrue(plane.says("Find Matches: " + score), plane.log);
		// the scores of the second plane are wider, because its pixels are alike in pairs
		final Img<UnsignedByteType> two = ArrayImgs.unsignedBytes(130, 100, 2);
		for (int y = 0; y < 100; y++)
			for (int x = 0; x < 130; x++) {
				two.getAt(x, y, 0).set(image.getAt(x, y));
				two.getAt(x, y, 1).set(image.getAt(x / 2, y / 2));
			}
		final double[] scores = found(two, template).minScores();
		assertTrue(Math.abs(scores[0] - scores[1]) > 1e-3, scores[0] + " and " + scores[1]);
		final Ran both = ran(FindMatchesCommand.class, "image", two, "template", template, "minscore", "auto");
		final String range = String.format(Locale.ROOT, ", minimum score %.3f to %.3f", Math.min(scores[0], scores[1]), Math.max(scores[0], scores[1]));
		assertTrue(both.summary.contains(range), both.summary + " without" + range);
	}

	/** A smooth scene has few independent windows. */
	@Test
	void anUncertainBackgroundIsNoted() throws Exception {
		final Img<UnsignedShortType> scene = ImgView.wrap(Views.hyperSlice(new MovingTexture(2, 1)
			.stack(new UnsignedShortType(), new double[1][2], new long[] { 60, 50 }, 1000, 200, 2),
			2, 0));
		final RandomAccessibleInterval<?> template = Views.zeroMin(Views.interval(scene, new long[] { 20, 15 }, new long[] { 40, 35 }));
		final Ran ran = ran(FindMatchesCommand.class, "image", scene, "template", ImgView.wrap((RandomAccessibleInterval<UnsignedShortType>) template),
			"minscore", "auto");
		final TemplateMatching.Result found = found(scene, template);
		final String reasons = BackgroundState.reasons(found.backgrounds().stream().map(b -> b.state()));
		assertFalse(reasons.isEmpty(), "the background is certain");
		assertTrue(ran.says("Find Matches: the minimum score in image is uncertain: " + reasons + "."), ran.log);
		assertTrue(ran.summary.endsWith(" (uncertain)"), ran.summary);
	}

	@Test
	void ellipsesNeedRefinedPositions() throws Exception {
		final Img<UnsignedByteType> image = noise(60, 50);
		assertEquals("ellipses=true shows the errors of refined positions. Give refine=true, or leave out ellipses.",
			reason(FindMatchesCommand.class, "image", image, "template", cut(image, 7, 5, 9, 9), "ellipses", true));
	}

	@Test
	void posesAreCounted() throws Exception {
		final Img<UnsignedByteType> image = noise(70, 60);
		final Ran given = ran(FindRotatedMatchesCommand.class, "image", image, "template", cut(image, 7, 5, 9, 9), "angles", "0,90", "minscore", "0.9");
		assertTrue(given.summary.matches("1 match, 2 poses, cpu-[a-z-]+.*, [0-9.e-]+ s"), given.summary);
		assertFalse(given.says("Find Rotated Matches:"), given.log);
		final Ran auto = ran(FindRotatedMatchesCommand.class, "image", image, "template", cut(image, 7, 5, 9, 9), "angles", "0,90", "falsealarms", 0.05);
		assertTrue(auto.summary.matches("1 match, minimum score 0\\.\\d{3}.*"), auto.summary);
		assertTrue(auto.log.matches("(?s).*Find Rotated Matches: 1 match, minimum score 0\\.\\d{3}.* in image.*"), auto.log);
	}

	private static Img<UnsignedShortType> moving() {
		return ImgView.wrap(new MovingTexture(2, 1).stack(new UnsignedShortType(), new double[][] { { 0, 0 }, { 1, 0 }, { 2, -1 }, { 4, -3 } },
			new long[] { 60, 50 }, 1000, 200, 20));
	}

	/** The graph of the drift needs windows or a macro, and the pictures before and after need windows. */
	@Test
	void theDriftIsSummedUpAndPlotted() throws Exception {
		final Ran plotted = ran(CorrectDriftCommand.class, "image", moving(), "reference", "first");
		final Drift drift = (Drift) plotted.module.getOutput("drift");
		assertEquals(String.format(Locale.ROOT, "largest shift %.2f, %.2f pixels", drift.largest(0), drift.largest(1)), plotted.summary);
		assertTrue(plotted.says(FrontEnd.NO_PLOT), plotted.log);
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(4, table.size());
		final Ran quiet = ran(CorrectDriftCommand.class, "image", moving(), "reference", "first", "plot", false, "append", true);
		assertFalse(quiet.says(FrontEnd.NO_PLOT), quiet.log);
		assertEquals(8, table.size());
		final Ran edge = ran(CorrectDriftCommand.class, "image", moving(), "reference", "first", "maxshift", "2", "plot", false);
		final long atEdge = ((Drift) edge.module.getOutput("drift")).frames().stream().filter(FrameShift::edge).count();
		assertTrue(atEdge > 0);
		assertTrue(edge.says("Correct Drift: in " + atEdge + " of 4 frames of image the peak lies at the end of the search. Increase the maximum shift."), edge.log);
		assertTrue(reason(CorrectDriftCommand.class, "image", new ImagePlus("rgb", new ColorProcessor(9, 9))).startsWith("The image 'rgb' is an RGB image."));
	}

	/** The drift inside a box or a selection of a stack, whose rest moves the other way. */
	@Test
	void theDriftOfAPart() throws Exception {
		final int width = 80, height = 40;
		final ImageStack planes = new ImageStack(width, height);
		final byte[] left = RandomPixels.bytes(1, 64 * 64), right = RandomPixels.bytes(2, 64 * 64);
		for (int t = 0; t < 3; t++) {
			final ByteProcessor p = new ByteProcessor(width, height);
			for (int i = 0; i < width * height; i++) {
				final int x = i % width, y = i / width;
				p.set(i, (x < 40 ? left[(y + 8) * 64 + x + 8 - 2 * t] : right[(y + 8) * 64 + x - 32 + t]) & 0xff);
			}
			planes.addSlice(p);
		}
		final ImagePlus stack = new ImagePlus("parts", planes);
		assertEquals(4, shiftOfLast("image", stack, "inside", "0,0,40,40"), 0.1);
		assertEquals(-2, shiftOfLast("image", stack, "inside", "44,2,36,36"), 0.1);
		stack.setRoi(44, 2, 36, 36);
		assertEquals(-2, shiftOfLast("image", stack, "inside", "Selection"), 0.1);
		stack.deleteRoi();
		assertEquals("Nothing is selected in 'parts'. Select the region in which the drift is measured, or omit inside=selection.",
			reason(CorrectDriftCommand.class, "image", stack, "inside", "selection"));
		assertEquals("inside=here is not a box. Give x,y,w,h in whole pixels, or selection.", reason(CorrectDriftCommand.class, "image", stack, "inside", "here"));
	}

	private static double shiftOfLast(final Object... inputs) throws Exception {
		final Object[] all = Arrays.copyOf(inputs, inputs.length + 4);
		System.arraycopy(new Object[] { "reference", "first", "plot", false }, 0, all, inputs.length, 4);
		return ((Drift) ran(CorrectDriftCommand.class, all).module.getOutput("drift")).frames().get(2).shift()[0];
	}

	@Test
	void tracksAreCounted() throws Exception {
		final Ran two = ran(TrackTemplatesCommand.class, "image", moving(), "roi", "12,10,9,8; 25,16,7,11", "maxshift", "6");
		assertTrue(two.summary.matches("2 templates in 4 frames, never lost, [0-9.e-]+ s"), two.summary);
		assertTrue(two.says(FrontEnd.NO_PLOT), two.log);
		assertFalse(two.says("Track Templates:"), two.log);
		final Ran lost = ran(TrackTemplatesCommand.class, "image", moving(), "roi", "12,10,9,8", "maxshift", "1", "minscore", 0.95, "follow", false, "plot", false);
		final long count = ((List<?>) lost.module.getOutput("tracks")).stream().filter(p -> ((TrackPoint) p).lost()).count();
		assertTrue(count > 0);
		assertTrue(lost.summary.startsWith("1 template in 4 frames, lost " + count + (count == 1 ? " time, " : " times, ")), lost.summary);
		assertFalse(lost.says(FrontEnd.NO_PLOT), lost.log);
		assertTrue(reason(TrackTemplatesCommand.class, "image", moving(), "roi", "12,10,9,8", "template", "", "templates", "overlay")
			.startsWith("Both templates=overlay and roi"));
		assertEquals("template=; names no image. Give titles of open images, separated by semicolons, or leave it out.",
			reason(TrackTemplatesCommand.class, "image", moving(), "template", ";"));
	}

	/** A flat template is called by its name. */
	@Test
	void aFlatTemplateIsNamed() throws Exception {
		final Img<UnsignedByteType> stack = ArrayImgs.unsignedBytes(40, 40, 3);
		for (int t = 0; t < 3; t++) for (int y = 0; y < 20; y++) for (int x = 0; x < 40; x++) stack.getAt(x, y, t).set(noise(40, 20).getAt(x, y));
		assertTrue(reason(TrackTemplatesCommand.class, "image", stack, "roi", "1,2,9,9; 5,25,9,9").startsWith("template '2'"));
	}

	@Test
	void plansAreInMilliseconds() throws Exception {
		assertEquals("map of 292x192 pixels with 32 bits: 0.2 MB", ran(ReportPlanCommand.class, "image", "300x200", "template", "9x9").summary);
		final ResultsTable table = ResultsTable.getResultsTable();
		final Ranking ranking = ComputeOptions.DEFAULT.planner(new Planner(Backends.all(ComputeOptions.DEFAULT.threads(), ComputeOptions.DEFAULT.memory())))
			.rank(NormalizedCrossCorrelation.problem(PixelType.U8, Size.of(300, 200), PixelType.U8, Size.of(9, 9), Extent.VALID, 1));
		for (int row = 0; row < table.size(); row++) {
			final boolean applies = !table.getStringValue("Predicted (ms)", row).equals("-");
			final String method = table.getStringValue("Method", row);
			if (applies) {
				final double ms = Double.parseDouble(table.getStringValue("Predicted (ms)", row));
				assertTrue(ms > 0.01 && ms < 1000, method + ": " + ms + " ms");
				for (final String column : new String[] { "Predicted (ms)", "To start (ms)" }) {
					final String time = table.getStringValue(column, row);
					assertEquals(Ranking.milliseconds(1e-3 * Double.parseDouble(time)), time, method + ": " + column);
				}
				final Ranking.Candidate candidate = ranking.candidates().stream().filter(c -> c.name().equals(method)).findFirst().orElseThrow();
				// three digits
				assertEquals(1e3 * candidate.startSeconds(), Double.parseDouble(table.getStringValue("To start (ms)", row)), 5 * candidate.startSeconds(),
					method);
				assertEquals(1e-6 * candidate.plan().cost().hostBytes(), Double.parseDouble(table.getStringValue("Memory (MB)", row)), 0.05, method);
			}
			assertFalse(method.contains("convolve"), method);
		}
		assertEquals("image=wide is not a size. Give whole pixels above 0, as in 2000x1500 or 512x512x40.", reason(ReportPlanCommand.class, "image", "wide"));
		assertEquals("template=0x9 is not a size. Give whole pixels above 0, as in 2000x1500 or 512x512x40.", reason(ReportPlanCommand.class, "template", "0x9"));
	}

	/** The third dimension of a template is that of the image, too. */
	@Test
	void templatesOfOtherDimensionsAreRefused() throws Exception {
		final ImagePlus slices = stack("slices", 6, 12), frames = stack("frames", 3, 5);
		slices.setDimensions(1, 6, 1);
		frames.setDimensions(1, 1, 3);
		assertTrue(reason(NormalizedCrossCorrelationCommand.class, "image", slices, "template", frames).contains("the template 'frames'"));
		assertTrue(reason(ConvolveImageCommand.class, "image", slices, "kernel", frames).contains("the kernel 'frames'"));
		frames.setDimensions(1, 3, 1);
		ran(NormalizedCrossCorrelationCommand.class, "image", slices, "template", frames);
		ran(ConvolveImageCommand.class, "image", slices, "kernel", frames);
	}

	private static ImagePlus stack(final String title, final int planes, final int side) {
		final ImageStack stack = new ImageStack(side, side);
		for (int i = 0; i < planes; i++) stack.addSlice(new ByteProcessor(side, side, RandomPixels.bytes(i, side * side)));
		return new ImagePlus(title, stack);
	}
}
