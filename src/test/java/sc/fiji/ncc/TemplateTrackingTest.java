package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.CountedProgress;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.Tracks;
import sc.fiji.ncc.track.Update;

class TemplateTrackingTest {

	private static final long[] FRAME = { 60, 50 };
	private static final MovingTexture TEXTURE = new MovingTexture(2, 3);
	/** Sizes differ; the last is as wide as the frame but for 5 pixels: its window is always cut. */
	private static final List<FinalInterval> REGIONS = List.of(Intervals.createMinSize(20, 15, 13, 11), Intervals.createMinSize(2, 30, 16, 9),
		Intervals.createMinSize(3, 2, 55, 12));

	private static double[][] walk(final int frames, final long seed) {
		final Random random = new Random(seed);
		final double[][] shifts = new double[frames][2];
		for (int f = 1; f < frames; f++)
			for (int d = 0; d < 2; d++) shifts[f][d] = shifts[f - 1][d] + random.nextInt(5) - 2;
		return shifts;
	}

	private static double[][] steady(final int frames, final double dx, final double dy) {
		return IntStream.range(0, frames).mapToObj(f -> new double[] { f * dx, f * dy }).toArray(double[][]::new);
	}

	private static RandomAccessibleInterval<UnsignedByteType> bytes(final double[][] shifts, final double noise) {
		return TEXTURE.stack(new UnsignedByteType(), shifts, FRAME, 120, 30, noise);
	}

	private static double[] frame(final RandomAccessibleInterval<?> stack, final int f) {
		return TestImages.values(Views.hyperSlice(stack, stack.numDimensions() - 1, f));
	}

	private static String text(final List<TrackPoint> points) {
		return points.stream().map(p -> p.template() + " " + p.frame() + " " + Arrays.toString(p.position()) + rounded(p.subpixel()) + p.score() + " "
			+ p.runnerUp() + p.lost() + rounded(p.motion())).collect(Collectors.joining("\n"));
	}

	/** Places between the pixels, as near as any method gives them. */
	private static String rounded(final double[] place) {
		return Arrays.stream(place).mapToObj(x -> String.format("%.4f", x + 0.0)).toList().toString();
	}

	/** A tracker by the definition: every response of the window in exact arithmetic, the peaks by looking at all neighbours. */
	private static void assertByDefinition(final RandomAccessibleInterval<?> stack, final Tracks tracks, final int shiftX, final int shiftY) {
		final int w = (int) FRAME[0], h = (int) FRAME[1];
		final double[] reference = frame(stack, 0);
		for (int t = 0; t < REGIONS.size(); t++) {
			final int[] size = TestImages.size(Views.zeroMin(Views.interval(ArrayImgs.bytes(FRAME), REGIONS.get(t))));
			final double[] template = TestImages.values(Views.interval(TestImages.image(new FloatType(), new int[] { w, h }, reference), REGIONS.get(t)));
			int x = (int) REGIONS.get(t).min(0), y = (int) REGIONS.get(t).min(1);
			for (final TrackPoint p : tracks.of(t)) {
				final int x0 = Math.max(0, x - shiftX), x1 = Math.min(w - size[0], x + shiftX), y0 = Math.max(0, y - shiftY), y1 = Math.min(h - size[1], y + shiftY);
				final int nx = x1 - x0 + 1, ny = y1 - y0 + 1;
				final double[] r = new ReferenceNcc(frame(stack, (int) p.frame()), new int[] { w, h }, template, size, null)
					.inside(ReferenceNcc.Form.AFFORDABLE, new long[] { x0, y0 }, new int[] { nx, ny });
				int best = 0;
				for (int i = 0; i < r.length; i++) if (r[i] > r[best]) best = i;
				double second = Double.NaN;
				for (int i = 0; i < r.length; i++) {
					final int ix = i % nx, iy = i / nx;
					boolean peak = Math.max(Math.abs(ix - best % nx), Math.abs(iy - best / nx)) > 1;
					for (int j = 0; j < r.length; j++) peak &= Math.abs(j % nx - ix) > 1 || Math.abs(j / nx - iy) > 1 || r[j] <= r[i];
					if (peak && !(r[i] <= second)) second = r[i];
				}
				assertArrayEquals(new long[] { x0 + best % nx, y0 + best / nx }, p.position(), () -> p.toString());
				assertEquals(r[best], p.score(), 1e-14, p::toString);
				assertEquals(second, p.runnerUp(), 1e-14, p::toString);
				assertEquals(r[best] < 0.8, p.lost());
				assertEquals(second > 0 ? r[best] / second : Double.isNaN(second) ? Double.NaN : Double.POSITIVE_INFINITY, p.ratio(), 1e-12);
				for (int d = 0; d < 2; d++) {
					// a fit is at most a pixel off, and so is that of the template in its own frame
					assertTrue(Math.abs(p.subpixel()[d] - p.position()[d]) <= 2);
					assertEquals(p.subpixel()[d] - REGIONS.get(t).min(d), p.motion()[d]);
				}
				if (p.lost()) continue;
				x = (int) p.position()[0];
				y = (int) p.position()[1];
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "auto", "cpu-direct-exact", "cpu-direct", "cpu-fourier" })
	void everyPointIsThatOfTheDefinition(final String algorithm) {
		final RandomAccessibleInterval<UnsignedByteType> stack = bytes(walk(8, 1), 25);
		final Tracks tracks = TemplateTracking.ofRegions(REGIONS).maxShift(4, 3).minScore(0.8).algorithm(algorithm).threads(2).track(stack);
		assertEquals(8 * REGIONS.size(), tracks.points().size());
		assertByDefinition(stack, tracks, 4, 3);
		assertEquals(tracks.points().stream().map(p -> p.frame() + " " + p.template()).distinct().count(), tracks.points().size());
		assertTrue(tracks.points().stream().anyMatch(TrackPoint::lost) && tracks.points().stream().anyMatch(p -> !p.lost()));
		assertTrue(tracks.seconds() > 0 && tracks.report().responses() > 0);
	}

	/** The search of the whole reference frame takes nearly all of the time. */
	/** A column is computed as a row: the points are those of the row with x and y swapped, with missing pixels, an update and an anchor, too. */
	@Test
	void aColumnIsTrackedAsARow() {
		final int n = 300, frames = 6;
		final byte[] pixels = new byte[n * frames], present = new byte[n];
		final Random random = new Random(5);
		final byte[] scene = new byte[n];
		random.nextBytes(scene);
		for (int t = 0; t < frames; t++)
			for (int i = 0; i < n; i++) pixels[t * n + i] = (byte) ((scene[Math.max(0, i - 3 * t)] & 0xFF) * 0.9 + random.nextInt(20));
		for (int i = 0; i < n; i++) present[i] = (byte) (i % 17 == 0 ? 0 : 1);
		for (final boolean masked : new boolean[] { false, true })
			for (final Update update : new Update[] { Update.FIXED, Update.MEAN.anchoredBelow(0.9) }) {
				final List<List<TrackPoint>> both = new ArrayList<>();
				for (final boolean column : new boolean[] { false, true }) {
					final long w = column ? 1 : n, h = column ? n : 1;
					final TemplateTracking tracking = TemplateTracking.ofRegions(List.of(column ? FinalInterval.createMinSize(0, 40, 1, 21)
						: FinalInterval.createMinSize(40, 0, 21, 1), column ? FinalInterval.createMinSize(0, 200, 1, 33) : FinalInterval.createMinSize(200, 0, 33, 1)))
						.update(update).backend("cpu").maxShift(column ? new long[] { 2, 8 } : new long[] { 8, 2 });
					if (masked) tracking.imageMask(ArrayImgs.unsignedBytes(present, w, h));
					both.add(tracking.track(ArrayImgs.unsignedBytes(pixels, w, h, frames)).points());
				}
				assertEquals(both.get(0).size(), both.get(1).size());
				for (int i = 0; i < both.get(0).size(); i++) {
					final TrackPoint row = both.get(0).get(i), column = both.get(1).get(i);
					assertEquals(row.score(), column.score(), 1e-12);
					assertEquals(row.position()[0], column.position()[1]);
					assertEquals(row.subpixel()[0], column.subpixel()[1], 1e-5);
					assertEquals(0, column.position()[0]);
				}
				assertEquals(40 + 3 * (frames - 1), both.get(1).get(both.get(1).size() - 2).position()[1]);
			}
	}

	@Test
	void theTimeHoldsTheSearchOfTheReferenceFrame() {
		final Img<UnsignedByteType> frame = RandomPixels.image(5, 1500, 1400);
		final TemplateTracking op = TemplateTracking.of(List.of(Views.interval(frame, Intervals.createMinSize(700, 600, 40, 40)))).maxShift(1, 1).threads(1);
		op.track(Views.addDimension(frame, 0, 1));
		for (final boolean stream : new boolean[] { false, true }) {
			final long start = System.nanoTime();
			final Tracks tracks = stream ? op.track(List.of(frame, frame), points -> {}) : op.track(Views.addDimension(frame, 0, 1));
			final double elapsed = 1e-9 * (System.nanoTime() - start);
			assertTrue(tracks.seconds() > 0.7 * elapsed && tracks.seconds() <= elapsed, tracks.seconds() + " of " + elapsed + " s");
		}
	}

	@Test
	void pixelsOfOtherTypes() {
		for (final RandomAccessibleInterval<?> stack : List.of(TEXTURE.stack(new UnsignedShortType(), walk(4, 2), FRAME, 40_000, 200, 100),
			TEXTURE.stack(new FloatType(), walk(4, 2), FRAME, 1e3, 2, 1)))
			assertByDefinition(stack, TemplateTracking.ofRegions(REGIONS).maxShift(3, 4).minScore(0.8).track(stack), 3, 4);
	}

	/** Ten seeds, every frame, all templates: motions of whole pixels are found as they are. */
	@Test
	void wholeMotionIsRecovered() {
		for (int seed = 0; seed < 10; seed++) {
			final double[][] shifts = walk(6, seed);
			final List<FinalInterval> regions = List.of(Intervals.createMinSize(20, 15, 13, 11), Intervals.createMinSize(30, 20, 16, 12));
			final Tracks tracks = TemplateTracking.ofRegions(regions).maxShift(2, 2).track(bytes(shifts, 0));
			for (final TrackPoint p : tracks.points()) {
				final double[] moved = shifts[(int) p.frame()];
				final FinalInterval region = regions.get(p.template());
				assertArrayEquals(new long[] { region.min(0) + (long) moved[0], region.min(1) + (long) moved[1] }, p.position(), p::toString);
				assertTrue(p.score() > 0.999, p::toString);
			}
			for (int f = 0; f < shifts.length; f++) assertArrayEquals(shifts[f], tracks.drift().get(f), 0.15);
		}
	}

	@Test
	void aStackIsFollowedBackFromItsReferenceFrame() {
		final double[][] shifts = steady(9, 3, -2);
		final RandomAccessibleInterval<UnsignedByteType> stack = bytes(shifts, 4);
		final List<FinalInterval> region = List.of(Intervals.createMinSize(22, 18, 14, 12));
		final List<Long> order = new ArrayList<>();
		final TemplateTracking op = TemplateTracking.ofRegions(region).maxShift(4, 4).reference(4);
		op.track(stack, points -> order.add(points.get(0).frame()));
		assertEquals(List.of(4L, 5L, 6L, 7L, 8L, 3L, 2L, 1L, 0L), order);
		final Tracks tracks = op.track(stack);
		for (int f = 0; f < 9; f++) {
			final TrackPoint p = tracks.of(0).get(f);
			assertEquals(f, p.frame());
			assertArrayEquals(new long[] { 22 + 3 * (f - 4), 18 - 2 * (f - 4) }, p.position());
		}
		assertEquals(1, tracks.of(0).get(4).score());
	}

	/** Motion between the pixels, added up over frames: a template that changes must carry what its window is off by. */
	@Test
	void fractionsOfPixelsAreNotLost() {
		// without it, a template that becomes its window never leaves its place
		final RandomAccessibleInterval<FloatType> stack = TEXTURE.stack(new FloatType(), steady(24, 0.3, -0.17), FRAME, 0, 1, 0);
		for (final Update update : List.of(Update.FIXED, Update.PREVIOUS, Update.mean(0.3))) {
			final Tracks tracks = TemplateTracking.ofRegions(List.of(Intervals.createMinSize(20, 22, 21, 19))).maxShift(2, 2).update(update).track(stack);
			double worst = 0;
			for (final TrackPoint p : tracks.points()) {
				worst = Math.max(worst, Math.abs(p.motion()[0] - 0.3 * p.frame()));
				worst = Math.max(worst, Math.abs(p.motion()[1] + 0.17 * p.frame()));
				for (int d = 0; d < 2; d++) assertEquals(p.subpixel()[d], p.position()[d], 1, "the window stays with its object");
			}
			assertTrue(worst < (update == Update.FIXED ? 0.06 : 1), update + ": " + worst);
		}
	}

	/** Peaks are lopsided. In the frame that a template was cut from it yet lies where it was cut, and what has moved by whole pixels has moved by these. */
	@Test
	void whatAFitIsOffInItsOwnFrameIsNoMotion() {
		final double[][] shifts = walk(7, 2);
		final RandomAccessibleInterval<UnsignedByteType> stack = bytes(shifts, 0);
		for (final Update update : List.of(Update.FIXED, Update.PREVIOUS, Update.mean(0.3), Update.PREVIOUS.anchoredBelow(0.9)))
			for (final Precision precision : Precision.values()) {
				// at the frame's border there is less to fit
				final TemplateTracking op = TemplateTracking.ofRegions(List.of(REGIONS.get(0), Intervals.createMinSize(30, 20, 16, 12))).maxShift(3, 3).update(update).precision(precision).reference(3);
				for (final TrackPoint p : op.track(stack).points()) {
					final double[] moved = { shifts[(int) p.frame()][0] - shifts[3][0], shifts[(int) p.frame()][1] - shifts[3][1] };
					if (p.frame() == 3) assertArrayEquals(moved, p.motion(), update + " " + p);
					// pixels are rounded to 8 bits, which is no difference between whole shifts; responses to 1e-5
					else assertArrayEquals(moved, p.motion(), precision == Precision.DOUBLE ? 1e-9 : 1e-3, update + " " + p);
				}
			}
		// an image of its own was cut from no frame
		final RandomAccessibleInterval<?> image = Views.zeroMin(Views.interval(Views.hyperSlice(stack, 2, 0), REGIONS.get(0)));
		final TrackPoint first = TemplateTracking.of(List.of(image), List.of(REGIONS.get(0).minAsLongArray())).maxShift(3, 3).track(stack).points().get(0);
		assertTrue(first.motion()[0] != 0 && Math.abs(first.motion()[0]) < 0.2, first::toString);
	}

	/**
	 * Templates without a start position start where they have the highest score in the reference frame, also with masks and missing pixels, in stacks
	 * and streams.
	 */
	@Test
	void templatesAreFoundInTheReferenceFrame() {
		final RandomAccessibleInterval<UnsignedByteType> stack = bytes(walk(5, 4), 3);
		final List<RandomAccessibleInterval<?>> images = new ArrayList<>(), masks = new ArrayList<>();
		final List<long[]> starts = new ArrayList<>();
		for (final FinalInterval r : REGIONS.subList(0, 2)) {
			images.add(Views.zeroMin(Views.interval(Views.hyperSlice(stack, 2, 2), r)));
			starts.add(r.minAsLongArray());
			final Img<UnsignedByteType> mask = ArrayImgs.unsignedBytes(r.dimensionsAsLongArray());
			mask.forEach(p -> p.set(1));
			mask.getAt(1, 1).set(0);
			masks.add(mask);
		}
		final Img<UnsignedByteType> present = ArrayImgs.unsignedBytes(FRAME);
		present.forEach(p -> p.set(1));
		for (int x = 0; x < 8; x++) present.getAt(x + 20, 20).set(0);
		for (final boolean missing : new boolean[] { false, true }) {
			final TemplateTracking given = TemplateTracking.of(images, starts), found = TemplateTracking.of(images);
			for (final TemplateTracking op : List.of(given, found)) op.maxShift(4, 4).masks(masks).imageMask(missing ? present : null);
			assertEquals(given.reference(2).track(stack).points(), found.reference(2).track(stack).points());
			final List<RandomAccessibleInterval<UnsignedByteType>> stream = List.of(Views.hyperSlice(stack, 2, 2), Views.hyperSlice(stack, 2, 3));
			final List<TrackPoint> expected = new ArrayList<>(), points = new ArrayList<>();
			given.reference(0).track(stream, expected::addAll);
			found.reference(0).track(stream, points::addAll);
			assertEquals(expected, points);
			assertEquals(4, points.size());
		}
		refuses("template 1 has no score in the reference frame", () -> TemplateTracking.of(images).maxShift(4, 4).track(ArrayImgs.unsignedBytes(60, 50, 2)));
	}

	/** The image turns into another one: a template that changes with it is not lost. */
	@Test
	void templatesFollowWhatChanges() {
		final int frames = 12;
		final MovingTexture other = new MovingTexture(2, 99);
		final Img<FloatType> stack = ArrayImgs.floats(FRAME[0], FRAME[1], frames);
		for (int f = 0; f < frames; f++)
			for (int y = 0; y < FRAME[1]; y++)
				for (int x = 0; x < FRAME[0]; x++) {
					final double share = f / (frames - 1.0);
					stack.getAt(x, y, f).setReal((1 - share) * TEXTURE.at(x - f, y) + share * other.at(x - f, y));
				}
		final TemplateTracking op = TemplateTracking.ofRegions(List.of(Intervals.createMinSize(15, 15, 17, 15))).maxShift(3, 3).minScore(0.6);
		assertTrue(op.track(stack).of(0).get(frames - 1).lost());
		for (final Update update : List.of(Update.PREVIOUS, Update.mean(0.5), Update.PREVIOUS.anchoredBelow(0.3))) {
			final TrackPoint last = op.update(update).track(stack).of(0).get(frames - 1);
			assertFalse(last.lost(), update::toString);
			assertArrayEquals(new double[] { frames - 1, 0 }, last.motion(), 1.5, update::toString);
		}
	}

	/** For some frames something else lies over the thing: a template that became that finds back only by what it was. */
	@Test
	void templatesAreAnchoredAnew() {
		final int frames = 10;
		final MovingTexture cover = new MovingTexture(2, 7);
		final Img<FloatType> stack = ArrayImgs.floats(FRAME[0], FRAME[1], frames);
		final double[] covered = { 0, 0, 0.3, 0.6, 1, 1, 0, 0, 0, 0 };
		for (int f = 0; f < frames; f++)
			for (int y = 0; y < FRAME[1]; y++)
				for (int x = 0; x < FRAME[0]; x++)
					stack.getAt(x, y, f).setReal((1 - covered[f]) * TEXTURE.at(x, y) + covered[f] * cover.at(x - f, y));
		final TemplateTracking op = TemplateTracking.ofRegions(List.of(Intervals.createMinSize(20, 18, 25, 21))).maxShift(8, 8).minScore(0);
		final TrackPoint lost = op.update(Update.PREVIOUS).track(stack).of(0).get(frames - 1);
		assertTrue(Math.abs(lost.motion()[0]) + Math.abs(lost.motion()[1]) > 2, lost::toString);
		final CountedProgress progress = new CountedProgress();
		final List<TrackPoint> anchored = op.update(Update.PREVIOUS.anchoredBelow(0.9)).monitor(progress).track(stack).of(0);
		assertEquals(progress.total.get(), progress.done.get(), "what is searched twice counts once");
		for (final int f : new int[] { 6, 7, 8, 9 }) {
			assertArrayEquals(new long[] { 20, 18 }, anchored.get(f).position());
			assertEquals(1, anchored.get(f).score(), 1e-12);
		}
	}

	/** Any score can be the anchor, also 0. */
	@Test
	void anAnchorOfZero() {
		final MovingTexture cover = new MovingTexture(2, 7);
		final double[][] shares = { { 1, 0 }, { 0, 1 }, { 1, -2 } };
		final Img<FloatType> stack = ArrayImgs.floats(FRAME[0], FRAME[1], 3);
		for (int f = 0; f < 3; f++) for (int y = 0; y < FRAME[1]; y++) for (int x = 0; x < FRAME[0]; x++)
			stack.getAt(x, y, f).setReal(shares[f][0] * TEXTURE.at(x, y) + shares[f][1] * cover.at(x, y));
		final TemplateTracking op = TemplateTracking.ofRegions(List.of(Intervals.createMinSize(20, 18, 25, 21))).maxShift(0, 0)
			.minScore(-1);
		assertTrue(op.update(Update.PREVIOUS).track(stack).of(0).get(2).score() < -0.7);
		assertTrue(op.update(Update.PREVIOUS.anchoredBelow(0)).track(stack).of(0).get(2).score() > 0);
	}

	/** Several frames are computed at once if none waits for the positions of another one. They keep their numbers in both directions. */
	@Test
	void independentFramesBeforeTheReference() {
		final RandomAccessibleInterval<UnsignedByteType> stack = bytes(steady(12, 1, -1), 0);
		final List<TrackPoint> points = TemplateTracking.ofRegions(List.of(Intervals.createMinSize(20, 18, 15, 13))).everywhere()
			.reference(6).track(stack).of(0);
		for (int f = 0; f < 12; f++) {
			assertEquals(f, points.get(f).frame());
			assertArrayEquals(new long[] { 20 + f - 6, 18 - f + 6 }, points.get(f).position());
		}
	}

	/** A lost template does not change, also if no window of a frame has a score. */
	@Test
	void aFrameWithoutScoresAnchorsNothing() {
		final MovingTexture cover = new MovingTexture(2, 7);
		final double[] covered = { 0, 0.4, 0, 0.4 };
		final Img<FloatType> stack = ArrayImgs.floats(FRAME[0], FRAME[1], covered.length);
		for (int f = 0; f < covered.length; f++)
			for (int y = 0; y < FRAME[1]; y++)
				for (int x = 0; x < FRAME[0]; x++)
					stack.getAt(x, y, f).setReal(f == 2 ? 9 : (1 - covered[f]) * TEXTURE.at(x, y) + covered[f] * cover.at(x, y));
		final List<TrackPoint> points = TemplateTracking.ofRegions(List.of(Intervals.createMinSize(20, 18, 25, 21))).maxShift(3, 3)
			.minScore(0)
			.update(Update.PREVIOUS.anchoredBelow(0.5)).track(stack).of(0);
		assertEquals("[false, false, true, false]", points.stream().map(TrackPoint::lost).toList().toString());
		assertTrue(points.get(1).score() < 0.99, points::toString);
		assertEquals(1, points.get(3).score(), 1e-12, "as in frame 1");
	}

	/** Half of the pixels of each window are missing. */
	@Test
	void windowsNeedSomePixels() {
		final RandomAccessibleInterval<UnsignedByteType> stack = bytes(steady(3, 1, 2), 0);
		final Img<UnsignedByteType> present = ArrayImgs.unsignedBytes(FRAME[0], FRAME[1]);
		for (int y = 0; y < FRAME[1]; y++) for (int x = 0; x < FRAME[0]; x++) present.getAt(x, y).set(x + y & 1);
		final RandomAccessibleInterval<UnsignedByteType> template = Views.zeroMin(Views.interval(Views.hyperSlice(stack, 2, 0),
			Intervals.createMinSize(20, 10, 15, 15)));
		final TemplateTracking op = TemplateTracking.of(List.of(template), List.of(new long[] { 20, 10 })).maxShift(3, 3)
			.imageMask(present);
		for (final TrackPoint p : op.minOverlap(0.4).track(stack).points()) assertEquals(false, p.lost());
		for (final TrackPoint p : op.minOverlap(0.6).track(stack).points()) assertTrue(Double.isNaN(p.score()), p::toString);
	}

	/** A refined position is exact where a window is found again as it was, also of a template that is cut anew. */
	@Test
	void refinedPositionsHaveNoBias() {
		final RandomAccessibleInterval<FloatType> stack = TEXTURE.stack(new FloatType(), steady(4, 2, -1), FRAME, 0, 1, 0);
		for (final Update update : List.of(Update.FIXED, Update.PREVIOUS))
			for (final TrackPoint p : TemplateTracking.ofRegions(List.of(Intervals.createMinSize(20, 22, 11, 9))).maxShift(3, 3)
				.refine(true).update(update).track(stack).points())
				assertArrayEquals(new double[] { 2 * p.frame(), -p.frame() }, p.motion(), 1e-5, update + ", " + p);
	}

	/** At the border a peak is not fitted across it. The refinement begins at the whole pixel there. */
	@Test
	void positionsAtTheBorderAreRefined() {
		final RandomAccessibleInterval<FloatType> stack = TEXTURE.stack(new FloatType(), steady(4, 0, 0.3), FRAME, 0, 1, 0.01);
		for (final TrackPoint p : TemplateTracking.ofRegions(List.of(Intervals.createMinSize(0, 15, 21, 19))).maxShift(2, 2).refine(true)
			.track(stack).points()) {
			assertTrue(p.sigma(0) < 0.1 && p.sigma(1) < 0.1, p::toString);
			assertArrayEquals(new double[] { 0, 0.3 * p.frame() }, p.motion(), 0.02);
		}
	}

	@Test
	void whatIsLostIsFoundAgain() {
		final RandomAccessibleInterval<UnsignedByteType> stack = bytes(steady(7, 1, 1), 3);
		final Random random = new Random(8);
		for (int f = 2; f < 4; f++) Views.flatIterable(Views.hyperSlice(stack, 2, f)).forEach(p -> p.set(random.nextInt(256)));
		// a frame in which nothing has a correlation
		Views.flatIterable(Views.hyperSlice(stack, 2, 4)).forEach(p -> p.set(9));
		final List<TrackPoint> points = TemplateTracking.ofRegions(REGIONS.subList(0, 1)).maxShift(5, 5).minScore(0.7).track(stack).of(0);
		assertEquals("[false, false, true, true, true, false, false]", points.stream().map(TrackPoint::lost).toList().toString());
		final TrackPoint none = points.get(4);
		assertTrue(Double.isNaN(none.score()) && Double.isNaN(none.runnerUp()) && Double.isNaN(none.ratio()));
		assertArrayEquals(points.get(1).position(), none.position());
		for (int d = 0; d < 2; d++) assertEquals(none.position()[d], none.subpixel()[d]);
		assertArrayEquals(new long[] { 26, 21 }, points.get(6).position());
		assertTrue(Double.isNaN(new Tracks(List.of(none), Report.NONE, List.of(), 0).drift().get(0)[0]));
	}

	/** Frames that wait for each other, frames that do not, and frames that come one by one give the same. */
	@Test
	void howFramesComeDoesNotMatter() {
		final RandomAccessibleInterval<UnsignedByteType> stack = bytes(walk(11, 4), 20);
		final TemplateTracking op = TemplateTracking.ofRegions(REGIONS).everywhere().threads(3).algorithm("cpu-direct-exact");
		final String waiting = text(TemplateTracking.ofRegions(REGIONS).maxShift(200, 200).threads(1).algorithm("cpu-direct-exact").track(stack).points());
		assertEquals(waiting, text(op.track(stack).points()));
		final List<TrackPoint> points = new ArrayList<>();
		final Tracks tracks = op.track(frames(stack), points::addAll);
		assertEquals(waiting, text(points));
		assertTrue(tracks.points().isEmpty() && tracks.report().responses() > 0);
		// a mean of weight 0+ is as good as fixed, but has every frame wait
		for (final boolean follow : new boolean[] { true, false }) {
			final String fixed = places(TemplateTracking.ofRegions(REGIONS).maxShift(9, 9).follow(follow).track(stack));
			assertEquals(fixed, places(TemplateTracking.ofRegions(REGIONS).maxShift(9, 9).follow(follow).update(Update.mean(1e-9)).track(stack)));
		}
	}

	private static String places(final Tracks tracks) {
		return tracks.points().stream().map(p -> Arrays.toString(p.position())).collect(Collectors.joining());
	}

	private static Iterable<RandomAccessibleInterval<UnsignedByteType>> frames(final RandomAccessibleInterval<UnsignedByteType> stack) {
		return () -> IntStream.range(0, (int) stack.dimension(2)).<RandomAccessibleInterval<UnsignedByteType>>mapToObj(f -> Views.hyperSlice(stack, 2, f)).iterator();
	}

	@Test
	void windowsThatStay() {
		final RandomAccessibleInterval<UnsignedByteType> stack = bytes(steady(8, 2, 0), 0);
		final List<TrackPoint> points = TemplateTracking.ofRegions(REGIONS.subList(0, 1)).maxShift(6, 3).follow(false).minScore(0.9).track(stack).of(0);
		for (int f = 0; f < 8; f++) assertEquals(f > 3, points.get(f).lost(), "frame " + f);
		assertEquals(26, points.get(3).position()[0]);
	}

	@Test
	void masksImagesAndVolumes() {
		// what lies beside the disk changes, and is NaN
		final RandomAccessibleInterval<FloatType> stack = TEXTURE.stack(new FloatType(), steady(5, 1, 2), FRAME, 10, 1, 0);
		final Img<UnsignedByteType> disk = ArrayImgs.unsignedBytes(15, 15);
		for (int y = 0; y < 15; y++)
			for (int x = 0; x < 15; x++) disk.getAt(x, y).set(Math.hypot(x - 7, y - 7) < 7 ? 255 : 0);
		for (int f = 0; f < 5; f++) stack.getAt(20 + f, 10 + 2 * f, f).set(Float.NaN);
		final FinalInterval region = Intervals.createMinSize(20, 10, 15, 15);
		for (final Update update : List.of(Update.FIXED, Update.PREVIOUS, Update.MEAN))
			for (final TrackPoint p : TemplateTracking.ofRegions(List.of(region)).masks(List.of(disk)).maxShift(3, 3).update(update).track(stack).points()) {
				assertArrayEquals(new long[] { 20 + p.frame(), 10 + 2 * p.frame() }, p.position(), update + ": " + p);
				assertEquals(1, p.score(), 1e-5);
			}
		final MovingTexture texture = new MovingTexture(3, 5);
		final double[][] shifts = { { 0, 0, 0 }, { 1, 2, -1 }, { 2, 1, -2 } };
		final RandomAccessibleInterval<UnsignedByteType> volumes = texture.stack(new UnsignedByteType(), shifts, new long[] { 20, 18, 12 }, 120, 30, 0);
		final RandomAccessibleInterval<UnsignedByteType> image = Views.zeroMin(Views.interval(Views.hyperSlice(volumes, 3, 0),
			new long[] { 6, 5, 4 }, new long[] { 12, 11, 8 }));
		for (final TrackPoint p : TemplateTracking.of(List.of(image), List.of(new long[] { 6, 5, 4 })).maxShift(2, 2, 2).track(volumes).points()) {
			final double[] moved = shifts[(int) p.frame()];
			assertArrayEquals(new long[] { 6 + (long) moved[0], 5 + (long) moved[1], 4 + (long) moved[2] }, p.position());
		}
	}

	@Test
	void aDeviceThatFailsOnTheWay() {
		final RandomAccessibleInterval<UnsignedByteType> stack = bytes(walk(9, 6), 10);
		final String expected = text(TemplateTracking.ofRegions(REGIONS).maxShift(4, 4).algorithm("cpu-direct-exact").track(stack).points());
		for (int fault = 0; fault < 3; fault++) {
			final FakeDevice device = new FakeDevice();
			device.failAllocation = fault == 0;
			device.failLaunch = fault == 1 ? 4 : -1;
			device.loseAt = fault == 2 ? 7 : -1;
			final Tracks tracks = TemplateTracking.ofRegions(REGIONS).maxShift(4, 4).backends(List.of(device, new CpuBackend(1))).track(stack);
			assertEquals(expected, text(tracks.points()), "fault " + fault);
			assertEquals(0, device.open.get());
			assertTrue(tracks.rankings().stream().anyMatch(r -> r.best().orElseThrow().name().startsWith("cpu-")));
		}
		final FakeDevice only = new FakeDevice();
		only.loseAt = 3;
		final String message = assertThrows(NccException.class, () -> TemplateTracking.ofRegions(REGIONS).maxShift(4, 4).backends(List.of(only)).track(stack)).getMessage();
		assertTrue(message.contains("every candidate failed"), message);
		assertEquals(0, only.open.get());
	}

	/** In the first frame the template becomes a window of it; in the others it is lost and stays that. */
	@Test
	void templatesThatStayAreNotPreparedAnew() {
		final RandomAccessibleInterval<UnsignedByteType> stack = bytes(steady(5, 1, 0), 0);
		final Random random = new Random(5);
		for (int f = 1; f < 5; f++) Views.flatIterable(Views.hyperSlice(stack, 2, f)).forEach(p -> p.set(random.nextInt(256)));
		final FakeDevice device = new FakeDevice();
		TemplateTracking.ofRegions(REGIONS.subList(0, 1)).maxShift(2, 2).minScore(0.9).update(Update.PREVIOUS).backends(List.of(device)).track(stack);
		assertEquals(1, device.replaced.get());
		TemplateTracking.ofRegions(REGIONS.subList(0, 1)).maxShift(2, 2).backends(List.of(device)).track(stack);
		assertEquals(1, device.replaced.get());
	}

	@Test
	void cancelLeavesTheFramesThatAreDone() {
		final RandomAccessibleInterval<UnsignedByteType> stack = bytes(walk(9, 6), 10);
		final List<TrackPoint> points = new ArrayList<>();
		final Monitor monitor = new Monitor() {

			@Override
			public boolean canceled() {
				return points.size() >= 3 * REGIONS.size();
			}
		};
		assertThrows(CancellationException.class, () -> TemplateTracking.ofRegions(REGIONS).maxShift(4, 4).monitor(monitor).track(stack, points::addAll));
		assertEquals(3 * REGIONS.size(), points.size());
		assertEquals(text(TemplateTracking.ofRegions(REGIONS).maxShift(4, 4).track(stack).points().subList(0, points.size())), text(points));
	}

	@Test
	void progressIsThatOfAllResponses() {
		final CountedProgress monitor = new CountedProgress();
		TemplateTracking.ofRegions(REGIONS).maxShift(4, 4).reference(2).monitor(monitor).track(bytes(walk(5, 6), 10));
		assertTrue(monitor.total.get() > 0);
		assertEquals(monitor.total.get(), monitor.done.get());
	}

	@Test
	void mistakesAreSaidInWords() {
		final RandomAccessibleInterval<UnsignedByteType> stack = bytes(walk(3, 1), 10);
		final List<FinalInterval> one = REGIONS.subList(0, 1);
		refuses("list is empty: give at least one region", () -> TemplateTracking.ofRegions(List.of()));
		refuses("region 0, [50, 15]..[65, 20], extends beyond the reference frame of 60x50", () -> TemplateTracking.ofRegions(List.of(Intervals.createMinSize(50, 15, 16, 6))).maxShift(1, 1).track(stack));
		refuses("the maximum shift is not set", () -> TemplateTracking.ofRegions(one).track(stack));
		refuses("the maximum shift has 3 numbers, the templates have 2 dimensions", () -> TemplateTracking.ofRegions(one).maxShift(1, 2, 3));
		refuses("the maximum shift is -1 pixels", () -> TemplateTracking.ofRegions(one).maxShift(1, -1));
		refuses("the reference is frame 4: the stack has 3 frames", () -> TemplateTracking.ofRegions(one).maxShift(1, 1).reference(3).track(stack));
		refuses("the minimum score is 2.0", () -> TemplateTracking.ofRegions(one).minScore(2));
		refuses("the weight of the newest window is 0.0", () -> Update.mean(0));
		refuses("a fixed template has no anchor score", () -> Update.FIXED.anchoredBelow(0.5));
		refuses("differ", () -> TemplateTracking.ofRegions(List.of(REGIONS.get(0), Intervals.createMinSize(0, 0, 0, 4, 4, 2))), "dimensions");
		refuses("1 templates, but 2 start positions", () -> TemplateTracking.of(List.of(stack), List.of(new long[3], new long[3])));
		refuses("template 1 of 5x4 begins at [56, 3]", () -> TemplateTracking.of(List.of(part(stack, 5, 4)),
			List.of(new long[] { 56, 3 })).maxShift(1, 1).track(stack));
		refuses("larger than the frame of 60x50", () -> TemplateTracking.of(List.of(ArrayImgs.unsignedBytes(61, 4)), List.of(new long[2])).maxShift(1, 1).track(stack), "flat");
		refuses("template 2: the template of 3x3 is flat", () -> TemplateTracking.of(List.of(part(stack, 5, 4), ArrayImgs.unsignedBytes(3, 3)),
			List.of(new long[2], new long[2]))
			.maxShift(1, 1).track(stack));
		refuses("3 masks for 1 templates", () -> TemplateTracking.ofRegions(one).masks(List.of(stack, stack, stack)));
		refuses("leave the reference frame out", () -> TemplateTracking.ofRegions(one).maxShift(1, 1).reference(1).track(frames(stack), p -> {}));
		refuses("the stream has no frame", () -> TemplateTracking.ofRegions(one).maxShift(1, 1).track(List.<RandomAccessibleInterval<?>>of(), p -> {}));
		refuses("frame 2 is U8 60x49, the first one U8 60x50", () -> TemplateTracking.ofRegions(one).maxShift(1, 1)
			.track(List.of(Views.hyperSlice(stack, 2, 0), Views.interval(Views.hyperSlice(stack, 2, 0), new long[2], new long[] { 59, 48 })), p -> {}));
		refuses("3 channels", () -> TemplateTracking.ofRegions(one).maxShift(1, 1).track(ArrayImgs.argbs(60, 50, 2)));
		refuses("unknown algorithm \"x\"", () -> TemplateTracking.ofRegions(one).maxShift(1, 1).algorithm("x").track(stack));
		assertEquals(1, TemplateTracking.ofRegions(one).maxShift(1, 1).explain(stack).size());
	}

	private static RandomAccessibleInterval<?> part(final RandomAccessibleInterval<?> stack, final long w, final long h) {
		return Views.zeroMin(Views.interval(Views.hyperSlice(stack, 2, 0), new long[2], new long[] { w - 1, h - 1 }));
	}

	private static void refuses(final String says, final Runnable call, final String... orThese) {
		final String message = assertThrows(IllegalArgumentException.class, call::run, says).getMessage();
		assertTrue(message.contains(says) || Arrays.stream(orThese).anyMatch(message::contains), message);
	}

	/** Of several templates, those that are lost are named, five at most. */
	@Test
	void lostTemplatesAreNamed() {
		assertEquals("1 template in 3 frames, lost 2 times", summary(1, 3, 2));
		assertEquals("3 templates in 2 frames, never lost", summary(3, 2, 0, 0, 0));
		assertEquals("3 templates in 2 frames, lost 3 times: a in 2 frames, c in 1 frame", summary(3, 2, 2, 0, 1));
		assertEquals("6 templates in 1 frame, lost 6 times: a in 1 frame, b in 1 frame, c in 1 frame, d in 1 frame, e in 1 frame and 1 more",
			summary(6, 1, 1, 1, 1, 1, 1, 1));
	}

	/** @param lost the number of frames in which a template is lost */
	private static String summary(final int templates, final int frames, final int... lost) {
		final List<TrackPoint> points = new ArrayList<>();
		for (int t = 0; t < templates; t++) for (int f = 0; f < frames; f++)
			points.add(new TrackPoint(t, f, new long[2], new double[2], 0.7, 0.1, f < lost[t], new double[2], false));
		return new Tracks(points, Report.NONE, List.of(), 1).summary(List.of("a", "b", "c", "d", "e", "f"));
	}
}
