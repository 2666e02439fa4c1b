package sc.fiji.ncc.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.type.logic.BitType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PreparedImage;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.Update;

/** Images with missing pixels: masks and NaN, for every operation, against the definition. */
class MissingPixelsTest {

	private static final int[] SIZE = { 23, 19 }, TEMPLATE = { 6, 5 };
	private static final double[] IMAGE = RandomPixels.uniform(1, 23 * 19), MASK = mask(2, 23 * 19, 0.3);

	/** Zeros and ones, with this share of zeros. */
	private static double[] mask(final long seed, final int n, final double missing) {
		final Random random = new Random(seed);
		final double[] mask = new double[n];
		for (int i = 0; i < n; i++) mask[i] = random.nextDouble() < missing ? 0 : 1;
		return mask;
	}

	private static Img<FloatType> floats(final double[] values, final int... size) {
		return TestImages.image(new FloatType(), size, values);
	}

	private static Img<UnsignedByteType> bytes(final double[] values, final int... size) {
		return TestImages.image(new UnsignedByteType(), size, values);
	}

	/** A part of the image: a template that occurs in it. */
	private static double[] cut(final int x, final int y) {
		final double[] cut = new double[30];
		for (int i = 0; i < cut.length; i++) cut[i] = (float) IMAGE[(y + i / 6) * 23 + x + i % 6];
		return cut;
	}

	private static NormalizedCrossCorrelation op() {
		return NormalizedCrossCorrelation.of(floats(cut(4, 7), TEMPLATE)).undefined(Undefined.NAN);
	}

	private static double[] rounded(final double[] values) {
		return Arrays.stream(values).map(v -> (float) v).toArray();
	}

	private static double[] reference(final double[] image, final double[] mask, final long[] origin, final int[] count, final double share) {
		return new ReferenceNcc(rounded(image), SIZE, cut(4, 7), TEMPLATE, null, mask).responses(ReferenceNcc.Form.AFFORDABLE, origin, count, true, share);
	}

	private static void assertNear(final double[] expected, final RandomAccessibleInterval<?> map) {
		assertArrayEquals(expected, TestImages.values(map), 1e-5);
	}

	@ParameterizedTest
	@EnumSource(Extent.class)
	void aMaskInEveryExtent(final Extent extent) {
		final long[] origin = extent == Extent.VALID ? new long[2] : extent == Extent.SAME ? new long[] { -3, -2 } : new long[] { -5, -4 };
		final int[] count = extent == Extent.VALID ? new int[] { 18, 15 } : extent == Extent.SAME ? SIZE : new int[] { 28, 23 };
		for (final double share : new double[] { 0, 0.5, 1 }) {
			final Response r = op().extent(extent).border(extent == Extent.VALID ? null : Border.OVERLAP).minOverlap(share).imageMask(bytes(MASK, SIZE)).correlate(floats(IMAGE, SIZE));
			assertNear(reference(IMAGE, MASK, origin, count, share), r.map());
		}
		final Response third = op().extent(extent).border(extent == Extent.VALID ? null : Border.OVERLAP).imageMask(bytes(MASK, SIZE)).correlate(floats(IMAGE, SIZE));
		assertNear(reference(IMAGE, MASK, origin, count, 1 / 3.0), third.map());
	}

	/** The mask is extended like the image, except that a constant border is present. */
	@Test
	void bordersApplyToTheMask() {
		for (final Border border : List.of(Border.MIRROR, Border.EDGE, Border.constant(0.25))) {
			final int[] size = { 33, 27 };
			final double[] image = new double[33 * 27], mask = new double[33 * 27];
			for (int i = 0; i < image.length; i++) {
				final int x = i % 33 - 5, y = i / 33 - 4;
				final int at = place(x, 23, border) + 23 * place(y, 19, border);
				final boolean constant = border.kind() == Border.Kind.CONSTANT && (x < 0 || y < 0 || x >= 23 || y >= 19);
				image[i] = constant ? 0.25 : (float) IMAGE[at];
				mask[i] = constant ? 1 : MASK[at];
			}
			final double[] expected = new ReferenceNcc(image, size, cut(4, 7), TEMPLATE, null, mask).responses(ReferenceNcc.Form.AFFORDABLE, new long[] { 2, 2 }, SIZE, true, 0.2);
			assertNear(expected, op().extent(Extent.SAME).border(border).minOverlap(0.2).imageMask(bytes(MASK, SIZE)).correlate(floats(IMAGE, SIZE)).map());
			final double[] holes = IMAGE.clone();
			for (int i = 0; i < holes.length; i++) if (MASK[i] == 0) holes[i] = Double.NaN;
			assertNear(expected, op().extent(Extent.SAME).border(border).minOverlap(0.2).nan(NaNs.MISSING).correlate(floats(holes, SIZE)).map());
		}
	}

	private static int place(final int x, final int n, final Border border) {
		if (border.kind() == Border.Kind.MIRROR) return x < 0 ? -x : x >= n ? 2 * n - 2 - x : x;
		return Math.max(0, Math.min(n - 1, x));
	}

	@ParameterizedTest
	@EnumSource(Precision.class)
	void nanIsMissingOnRequestAlsoBesideAMask(final Precision precision) {
		final double[] holes = IMAGE.clone(), other = mask(3, holes.length, 0.2), both = new double[holes.length];
		for (int i = 0; i < holes.length; i++) {
			if (MASK[i] == 0) holes[i] = Double.NaN;
			both[i] = MASK[i] * other[i];
		}
		final NormalizedCrossCorrelation op = op().nan(NaNs.MISSING).minOverlap(0).precision(precision);
		final Img<FloatType> image = floats(holes, SIZE);
		final Response r = op.correlate(image);
		final double[] expected = reference(IMAGE, MASK, new long[2], new int[] { 18, 15 }, 0);
		assertArrayEquals(expected, TestImages.values(precision == Precision.SINGLE ? r.map() : r.doubleMap()), precision == Precision.SINGLE ? 1e-5 : 1e-10);
		final Response s = op.imageMask(bytes(other, SIZE)).correlate(image);
		assertArrayEquals(reference(IMAGE, both, new long[2], new int[] { 18, 15 }, 0),
			TestImages.values(precision == Precision.SINGLE ? s.map() : s.doubleMap()), precision == Precision.SINGLE ? 1e-5 : 1e-10);
		// by default NaN makes a window undefined
		assertEquals(270, op().correlate(floats(holes, SIZE)).report().undefined());
		// pixels of integers are never NaN: the problem is the same as without missing pixels
		assertTrue(!((Correlation) op().nan(NaNs.MISSING).explain(bytes(MASK, SIZE)).problem()).lags().masked());
	}

	@Test
	void everyCandidateTakesMasksOfEveryTypeAndLayout() {
		final double[] expected = reference(IMAGE, MASK, new long[2], new int[] { 18, 15 }, 1 / 3.0);
		final List<RandomAccessibleInterval<?>> masks = new ArrayList<>();
		for (final PixelType type : PixelType.values()) masks.add(TestImages.image(type, SIZE, Arrays.stream(MASK).map(m -> 7 * m).toArray()));
		masks.add(TestImages.image(new CellImgFactory<>(new UnsignedByteType(), 5), SIZE, MASK));
		masks.add(TestImages.image(new CellImgFactory<>(new BitType(), 64), SIZE, MASK));
		masks.add(Views.translate(bytes(MASK, SIZE), 100, -7));
		for (final RandomAccessibleInterval<?> mask : masks) assertNear(expected, op().imageMask(mask).correlate(floats(IMAGE, SIZE)).map());
		final List<String> ids = op().imageMask(masks.get(0)).backend("cpu").explain(floats(IMAGE, SIZE)).candidates().stream().filter(c -> c.applies()).map(c -> c.algorithm().id()).toList();
		assertTrue(ids.containsAll(List.of("cpu-direct", "cpu-fourier")), ids.toString());
		for (final String id : ids)
			for (final int threads : new int[] { 1, 3 })
				assertNear(expected, op().imageMask(masks.get(0)).algorithm(id).threads(threads).correlate(floats(IMAGE, SIZE)).map());
	}

	/** A mask for all frames, and one for each. */
	@Test
	void framesOfAStackAndOfAStream() {
		final int n = IMAGE.length, frames = 4;
		final double[] stack = RandomPixels.uniform(9, n * frames), masks = mask(10, n * frames, 0.4);
		final Img<FloatType> image = floats(stack, 23, 19, frames);
		for (final boolean each : new boolean[] { false, true }) {
			final Img<UnsignedByteType> mask = each ? bytes(masks, 23, 19, frames) : bytes(MASK, SIZE);
			final double[] expected = new double[270 * frames];
			for (int f = 0; f < frames; f++) System.arraycopy(reference(Arrays.copyOfRange(stack, f * n, (f + 1) * n),
				each ? Arrays.copyOfRange(masks, f * n, (f + 1) * n) : MASK, new long[2], new int[] { 18, 15 }, 0.25), 0, expected, f * 270, 270);
			final NormalizedCrossCorrelation op = op().imageMask(mask).minOverlap(0.25);
			assertNear(expected, op.correlate(image).map());
			op.correlateEach(Frames.of(image, 2), (f, r) -> assertNear(Arrays.copyOfRange(expected, (int) f * 270, (int) f * 270 + 270), r.map()));
			op.bestOfEach(Frames.of(image, 2), (f, r) -> assertNear(Arrays.copyOfRange(expected, (int) f * 270, (int) f * 270 + 270), r.score()));
			try (PreparedImage prepared = op.prepare(image)) {
				assertNear(expected, prepared.correlate(floats(cut(4, 7), TEMPLATE)).map());
			}
			final TemplateMatching matching = TemplateMatching.with(op).minScore(0.3).maxOverlap(1);
			final List<Match> found = matching.find(image).matches();
			assertTrue(found.size() > 3 * frames, found.size() + " matches");
			for (final Match m : found)
				assertEquals(expected[(int) (m.frame()[0] * 270 + m.position()[1] * 18 + m.position()[0])], m.score(), 1e-12, m.toString());
			matching.findEach(Frames.of(image, 2), (f, r) -> assertEquals(found.stream().filter(m -> m.frame()[0] == f).map(Match::score).toList(),
				r.matches().stream().map(Match::score).toList()));
		}
	}

	/** Weights of the template and missing pixels together, in three dimensions. */
	@Test
	void weightsAndVolumes() {
		final int[] size = { 13, 11, 9 }, shape = { 4, 3, 3 };
		final double[] image = rounded(RandomPixels.uniform(4, 13 * 11 * 9)), mask = mask(5, image.length, 0.3), template = rounded(RandomPixels.uniform(6, 36)),
			weights = Arrays.stream(rounded(RandomPixels.uniform(7, 36))).map(Math::abs).toArray();
		final double[] expected = new ReferenceNcc(image, size, template, shape, weights, mask).responses(ReferenceNcc.Form.AFFORDABLE, new long[3], new int[] { 10, 9, 7 }, true, 0.6);
		assertNear(expected, NormalizedCrossCorrelation.of(floats(template, shape)).weights(floats(weights, shape)).imageMask(floats(mask, size)).minOverlap(0.6)
			.undefined(Undefined.NAN).correlate(floats(image, size)).map());
	}

	/** Some blocks of the transforms have no missing pixels, some have no others, and some have both. Templates of one size share the spectra of the mask. */
	@Test
	@Tag("slow")
	void blocksOfTransforms() {
		final int w = 620, h = 430, tw = 33, th = 28;
		final Random random = new Random(21);
		final double[] image = new double[w * h], mask = new double[w * h], disc = new double[tw * th], other = new double[tw * th];
		for (int i = 0; i < image.length; i++) {
			final int x = i % w, y = i / w;
			image[i] = Math.rint(128 + 90 * Math.sin(x / 7.0) * Math.cos(y / 11.0) + 20 * random.nextDouble());
			mask[i] = x > 450 ? 0 : x > 260 && y > 200 && random.nextInt(5) == 0 ? 0 : 1;
		}
		final double[] part = new double[tw * th];
		for (int i = 0; i < part.length; i++) {
			part[i] = image[(i / tw + 190) * w + i % tw + 250];
			disc[i] = Math.hypot(i % tw - 16, i / tw - 14) < 13 ? 1 : 0;
			other[i] = random.nextInt(256);
		}
		final RandomAccessibleInterval<?> pixels = bytes(image, w, h);
		for (final boolean weighted : new boolean[] { false, true }) {
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(List.of(bytes(part, tw, th), bytes(other, tw, th))).mask(weighted ? bytes(disc, tw, th) : null)
				.imageMask(bytes(mask, w, h)).minOverlap(0.4).undefined(Undefined.NAN).threads(2);
			final Response exact = op.algorithm("cpu-direct-exact").correlate(pixels), fourier = op.algorithm("cpu-fourier").correlate(pixels);
			for (int t = 0; t < 2; t++) assertArrayEquals(TestImages.values(exact.maps().get(t)), TestImages.values(fourier.maps().get(t)), 1e-5);
			assertEquals(exact.report().undefined(), fourier.report().undefined());
			// under a disc the moments are transforms, too, whose error is too large for this image
			assertTrue(weighted || fourier.report().rechecked() < 20_000, fourier.report().rechecked() + " of 473,928 responses were rechecked");
			final Response one = NormalizedCrossCorrelation.of(bytes(part, tw, th)).mask(weighted ? bytes(disc, tw, th) : null).imageMask(bytes(mask, w, h)).minOverlap(0.4)
				.undefined(Undefined.NAN).algorithm("cpu-fourier").correlate(pixels);
			assertArrayEquals(TestImages.values(exact.maps().get(0)), TestImages.values(one.map()), 1e-5);
		}
	}

	@Test
	void aMatchBesideMissingPixelsIsFound() {
		final double[] mask = new double[IMAGE.length];
		Arrays.fill(mask, 1);
		for (int i = 0; i < mask.length; i++) if (i % 23 >= 7 && i % 23 < 9) mask[i] = 0;
		final List<Match> found = TemplateMatching.with(op().imageMask(bytes(mask, SIZE))).maxMatches(1).find(floats(IMAGE, SIZE)).matches();
		assertArrayEquals(new long[] { 4, 7 }, found.get(0).position());
		assertEquals(1, found.get(0).score());
	}

	@Test
	void trackingIgnoresMissingPixels() {
		final int n = 40, frames = 5;
		final double[] texture = RandomPixels.uniform(11, 60 * 60), stack = new double[n * n * frames], mask = mask(12, n * n * frames, 0.2);
		for (int f = 0; f < frames; f++)
			for (int i = 0; i < n * n; i++) {
				// the texture moves by (-2, -1) each frame; missing pixels would mislead
				stack[f * n * n + i] = mask[f * n * n + i] == 0 ? 1000 : texture[(i / n + f) * 60 + i % n + 2 * f];
			}
		final Img<FloatType> image = floats(stack, n, n, frames);
		for (final Update update : List.of(Update.FIXED, Update.PREVIOUS)) {
			final TemplateTracking tracking = TemplateTracking.ofRegions(List.of(Intervals.createMinSize(20, 14, 11, 9))).maxShift(4, 4).update(update);
			final List<TrackPoint> points = tracking.imageMask(bytes(mask, n, n, frames)).track(image).points();
			for (final TrackPoint p : points) {
				assertArrayEquals(new long[] { 20 - 2 * p.frame(), 14 - p.frame() }, p.position(), update + " " + p);
				assertTrue(p.score() > 0.999999, update + " " + p);
			}
			final double[] holes = stack.clone();
			for (int i = 0; i < holes.length; i++) if (mask[i] == 0) holes[i] = Double.NaN;
			final List<TrackPoint> same = TemplateTracking.ofRegions(List.of(Intervals.createMinSize(20, 14, 11, 9))).maxShift(4, 4).update(update).nan(NaNs.MISSING)
				.track(floats(holes, n, n, frames)).points();
			for (int i = 0; i < points.size(); i++) assertEquals(points.get(i).score(), same.get(i).score(), 1e-9);
		}
	}

	@Test
	void aMaskWithoutZerosChangesNothing() {
		final double[] ones = new double[IMAGE.length];
		Arrays.fill(ones, 1);
		final double[] plain = TestImages.values(op().correlate(floats(IMAGE, SIZE)).map());
		assertNear(plain, op().imageMask(bytes(ones, SIZE)).correlate(floats(IMAGE, SIZE)).map());
	}

	private static void refused(final Runnable call, final String message) {
		assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
	}

	@Test
	void badMasksAreRefusedInOneLine() {
		final Img<FloatType> image = floats(IMAGE, SIZE);
		refused(() -> op().imageMask(bytes(new double[22 * 19], 22, 19)).correlate(image),
			"the image mask of 22x19 is 0 everywhere, so no pixel of the image is left: give a mask with other values where pixels count");
		refused(() -> op().imageMask(bytes(mask(1, 22 * 19, 0.5), 22, 19)).correlate(image),
			"the image mask of 22x19 does not fit the image of 23x19: give a mask of the size of the image");
		refused(() -> op().imageMask(bytes(mask(1, 23 * 19 * 2, 0.5), 23, 19, 2)).correlate(image),
			"the image mask of 23x19x2 does not fit the image of 23x19: give a mask of the size of the image");
		refused(() -> op().imageMask(bytes(mask(1, 23 * 19 * 2, 0.5), 23, 19, 2)).correlate(floats(RandomPixels.uniform(1, 23 * 19 * 3), 23, 19, 3)),
			"the image mask of 23x19x2 does not fit the image of 23x19x3: give a mask of the size of the image, or of one frame");
		refused(() -> TemplateMatching.with(op().imageMask(bytes(mask(1, 23 * 19 * 4, 0.5), 23, 19, 4))).find(floats(RandomPixels.uniform(1, 23 * 19 * 3), 23, 19, 3)),
			"the image mask of 23x19x4 does not fit the image of 23x19x3: give a mask of the size of the image, or of one frame");
		final double[] nan = MASK.clone();
		nan[40] = Double.NaN;
		refused(() -> op().imageMask(floats(nan, SIZE)).correlate(image), "the image mask of 23x19 holds NaN: give 0 for missing pixels and 1 for the others");
		final Img<FloatType> stream = floats(RandomPixels.uniform(1, 23 * 19 * 3), 23, 19, 3);
		final String message = assertThrows(IllegalArgumentException.class,
			() -> op().imageMask(bytes(mask(1, 23 * 19 * 2, 0.5), 23, 19, 2)).correlateEach(Frames.of(stream, 2), (f, r) -> {})).getMessage();
		assertTrue(message.contains("frame 3 has no image mask, because the mask of 23x19x2 has 2 frames"), message);
	}

	/**
	 * What other libraries got wrong with masks: values beyond 1 and NaN (scikit-image issues 4980, 5459 and 6456 concern masks and three dimensions), and a
	 * large offset under the mask.
	 */
	@Test
	void responsesStayWithinOneAndAreDefinedWhereTheyShould() {
		final int[] size = { 24, 20, 16 }, shape = { 9, 8, 7 };
		final double[] image = RandomPixels.uniform(13, 24 * 20 * 16), mask = mask(14, image.length, 0.5), template = new double[9 * 8 * 7];
		for (int i = 0; i < image.length; i++) image[i] = (float) (1e6 + image[i]);
		for (int i = 0; i < template.length; i++) template[i] = image[((i / 72 + 4) * 20 + i / 9 % 8 + 5) * 24 + i % 9 + 6];
		final double[] expected = new ReferenceNcc(image, size, template, shape, null, mask).responses(ReferenceNcc.Form.COMPENSATED, new long[] { -8, -7, -6 },
			new int[] { 32, 27, 22 }, true, 0);
		for (final String algorithm : new String[] { "cpu-direct", "cpu-fourier" }) {
			final double[] values = TestImages.values(NormalizedCrossCorrelation.of(floats(template, shape)).extent(Extent.FULL).imageMask(bytes(mask, size)).minOverlap(0)
				.undefined(Undefined.NAN).algorithm(algorithm).correlate(floats(image, size)).map());
			assertArrayEquals(expected, values, 1e-5, algorithm);
			for (final double v : values) assertTrue(!(Math.abs(v) > 1), "a response of " + v);
		}
	}

	@Test
	void aSearchWindowKeepsItsPlace() {
		final double[] expected = reference(IMAGE, MASK, new long[] { 3, 2 }, new int[] { 7, 5 }, 1 / 3.0);
		assertNear(expected, op().imageMask(bytes(MASK, SIZE)).search(new FinalInterval(new long[] { 3, 2 }, new long[] { 9, 6 })).correlate(TestImages.image(new DoubleType(), SIZE, rounded(IMAGE))).map());
	}
}
