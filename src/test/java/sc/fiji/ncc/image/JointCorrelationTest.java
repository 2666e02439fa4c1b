package sc.fiji.ncc.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.ARGBType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.PreparedImage;
import sc.fiji.ncc.Registration;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.Update;

/** Joint responses of several channels through the Java API: every kind of call, against the definition. */
class JointCorrelationTest {

	private static final int[] SIZE = { 23, 17 }, TEMPLATE = { 7, 5 };

	/** A fixed pattern without order, 0..255. */
	private static int noise(final int c, final int x, final int y) {
		int h = x * 374_761_393 + y * 668_265_263 + c * 974_634_777;
		h = (h ^ h >>> 13) * 1_274_126_177;
		return (h ^ h >>> 16) & 255;
	}

	/** The pattern from (x, y) on, channel after channel. */
	private static double[] pattern(final int channels, final int[] size, final int x, final int y) {
		final double[] v = new double[channels * size[0] * size[1]];
		for (int i = 0; i < v.length; i++) v[i] = noise(i / (size[0] * size[1]), x + i % size[0], y + i / size[0] % size[1]);
		return v;
	}

	/** Cut at (6, 4), mixed with another part. */
	private static double[] template(final int channels) {
		final double[] at = pattern(channels, TEMPLATE, 6, 4), other = pattern(channels, TEMPLATE, 50, 90);
		for (int i = 0; i < at.length; i++) at[i] = (int) (at[i] * 3 + other[i]) / 4;
		return at;
	}

	private static JointImage joint(final PixelType type, final int[] size, final double[] values, final int channels) {
		final int[] all = Arrays.copyOf(size, size.length + 1);
		all[size.length] = channels;
		return JointImage.of(TestImages.image(type, all, values), size.length);
	}

	private static Img<ARGBType> colours(final int[] size, final double[] values) {
		final int n = ReferenceNcc.pixels(size);
		final int[] argb = new int[n];
		for (int i = 0; i < n; i++) argb[i] = 0xff << 24 | (int) values[i] << 16 | (int) values[n + i] << 8 | (int) values[2 * n + i];
		return ArrayImgs.argbs(argb, TestImages.longs(size));
	}

	private static double[] reference(final double[] weights, final long[] origin, final int[] count, final boolean partial) {
		return new ReferenceNcc(pattern(3, SIZE, 0, 0), SIZE, template(3), TEMPLATE, weights, null, 3).responses(ReferenceNcc.Form.EXACT, origin, count, partial, 0);
	}

	private static double[] maps(final Response response) {
		return TestImages.values(response.map());
	}

	/** Recorded with OpenCV 4.13, {@code matchTemplate} with {@code TM_CCOEFF_NORMED} on the same three channels of 8 bits. */
	@ParameterizedTest
	@CsvSource({ "6, 4, 0.9437606", "0, 0, -0.14070095", "16, 12, -0.16982971", "3, 9, 0.0016281309", "11, 2, 0.025243917" })
	void agreesWithOpenCv(final int x, final int y, final double recorded) {
		final double[] map = maps(NormalizedCrossCorrelation.of(colours(TEMPLATE, template(3))).correlate(colours(SIZE, pattern(3, SIZE, 0, 0))));
		assertEquals(recorded, map[y * 17 + x], 2e-6);
	}

	@ParameterizedTest
	@ValueSource(strings = { "cpu-direct-exact", "cpu-direct", "cpu-fourier" })
	void everyPixelTypeGivesTheDefinition(final String algorithm) {
		final double[] reference = reference(null, new long[2], new int[] { 17, 13 }, false);
		for (final PixelType type : PixelType.values()) {
			if (type == PixelType.S8 || algorithm.endsWith("exact") && !type.exact()) continue;
			final Response response = NormalizedCrossCorrelation.of(joint(type, TEMPLATE, template(3), 3)).algorithm(algorithm)
				.correlate(joint(type, SIZE, pattern(3, SIZE, 0, 0), 3));
			assertArrayEquals(reference, maps(response), 1e-5, type.toString());
		}
	}

	@Test
	void masksWeighAllChannels() {
		final double[] mask = new double[35], weights = new double[35];
		final Random random = new Random(3);
		for (int i = 0; i < mask.length; i++) {
			mask[i] = random.nextInt(3) == 0 ? 0 : 1;
			weights[i] = random.nextDouble();
		}
		final Img<ARGBType> image = colours(SIZE, pattern(3, SIZE, 0, 0)), template = colours(TEMPLATE, template(3));
		assertArrayEquals(reference(mask, new long[2], new int[] { 17, 13 }, false),
			maps(NormalizedCrossCorrelation.of(template).mask(TestImages.image(PixelType.U8, TEMPLATE, mask)).correlate(image)), 1e-5);
		assertArrayEquals(reference(weights, new long[2], new int[] { 17, 13 }, false),
			maps(NormalizedCrossCorrelation.of(template).weights(TestImages.image(PixelType.F64, TEMPLATE, weights)).correlate(image)), 1e-5);
	}

	@Test
	void extentsAndBorders() {
		final Img<ARGBType> image = colours(SIZE, pattern(3, SIZE, 0, 0)), template = colours(TEMPLATE, template(3));
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(template).extent(Extent.SAME).undefined(Undefined.NAN);
		assertArrayEquals(reference(null, new long[] { -3, -2 }, SIZE, true), maps(op.border(Border.OVERLAP).correlate(image)), 1e-5);
		for (final Border border : new Border[] { Border.MIRROR, Border.EDGE, Border.constant(9) }) {
			final double[] map = maps(op.border(border).correlate(image));
			final double[] inside = reference(null, new long[2], new int[] { 17, 13 }, false);
			assertEquals(inside[0], map[2 * 23 + 3], 1e-5, "a window inside the image, " + border);
			final List<RandomAccessibleInterval<?>> channels = new ArrayList<>();
			for (int c = 0; c < 3; c++) {
				final Img<UnsignedByteType> one = ArrayImgs.unsignedBytes(23, 17);
				int i = 0;
				for (final UnsignedByteType p : one) p.set((int) pattern(3, SIZE, 0, 0)[c * 23 * 17 + i++]);
				channels.add(Views.zeroMin(Views.interval(border == Border.MIRROR ? Views.extendMirrorSingle(one) : border == Border.EDGE ? Views.extendBorder(one)
					: Views.extendValue(one, new UnsignedByteType(9)), Intervals.createMinMax(-3, -2, 22 + 3, 16 + 2))));
			}
			final double[] extended = maps(NormalizedCrossCorrelation.of(template).correlate(JointImage.of(channels)));
			assertArrayEquals(extended, map, 1e-5, border.toString());
		}
	}

	@Test
	void doublePrecisionIsExact() {
		final Response response = NormalizedCrossCorrelation.of(joint(PixelType.F64, TEMPLATE, template(3), 3)).precision(Precision.DOUBLE)
			.correlate(joint(PixelType.F64, SIZE, pattern(3, SIZE, 0, 0), 3));
		assertArrayEquals(reference(null, new long[2], new int[] { 17, 13 }, false), TestImages.values(response.doubleMaps().get(0)), 1e-10);
	}

	/** Channels that are equal give the response of one of them. */
	@Test
	void equalChannelsGiveTheResponseOfOne() {
		final RandomAccessibleInterval<?> image = TestImages.image(PixelType.U16, SIZE, pattern(1, SIZE, 0, 0)), template = TestImages.image(PixelType.U16, TEMPLATE, template(1));
		assertArrayEquals(maps(NormalizedCrossCorrelation.of(template).correlate(image)),
			maps(NormalizedCrossCorrelation.of(JointImage.of(List.of(template, template))).correlate(JointImage.of(List.of(image, image)))), 2e-7);
	}

	@Test
	void planesOfAStackAreFrames() {
		final double[] first = pattern(3, SIZE, 0, 0), second = pattern(3, SIZE, 5, 3);
		final int n = SIZE[0] * SIZE[1];
		final double[] stack = new double[2 * 3 * n];
		System.arraycopy(first, 0, stack, 0, 3 * n);
		System.arraycopy(second, 0, stack, 3 * n, 3 * n);
		// x, y, channel, frame
		final JointImage image = JointImage.of(TestImages.image(PixelType.U8, new int[] { SIZE[0], SIZE[1], 3, 2 }, stack), 2);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(joint(PixelType.U8, TEMPLATE, template(3), 3));
		final double[] both = maps(op.correlate(image));
		assertArrayEquals(maps(op.correlate(joint(PixelType.U8, SIZE, second, 3))), Arrays.copyOfRange(both, 17 * 13, 2 * 17 * 13), 0);
		final List<double[]> streamed = new ArrayList<>();
		op.correlateEach(List.of(joint(PixelType.U8, SIZE, first, 3), colours(SIZE, second)), (i, r) -> streamed.add(maps(r)));
		assertArrayEquals(Arrays.copyOf(both, 17 * 13), streamed.get(0), 0);
		assertArrayEquals(Arrays.copyOfRange(both, 17 * 13, 2 * 17 * 13), streamed.get(1), 0);
	}

	@Test
	void volumesHaveChannelsToo() {
		final int[] size = { 11, 9, 8 }, template = { 4, 3, 3 };
		final Random random = new Random(8);
		final double[] image = random.doubles(2 * 11 * 9 * 8).toArray(), t = random.doubles(2 * 36).toArray();
		final double[] reference =
			new ReferenceNcc(image, size, t, template, null, null, 2).responses(ReferenceNcc.Form.EXACT, new long[3], new int[] { 8, 7, 6 }, false, 1);
		for (final String algorithm : new String[] { "cpu-direct", "cpu-fourier" })
			assertArrayEquals(reference, maps(NormalizedCrossCorrelation.of(joint(PixelType.F64, template, t, 2)).algorithm(algorithm).correlate(joint(PixelType.F64, size, image, 2))), 1e-5);
	}

	@Test
	void matchesHaveExactScores() {
		final Img<ARGBType> image = colours(SIZE, pattern(3, SIZE, 0, 0));
		final RandomAccessibleInterval<?> cut = Views.zeroMin(Views.interval(image, Intervals.createMinSize(6, 4, 7, 5)));
		final List<Match> found = TemplateMatching.with(NormalizedCrossCorrelation.of(cut)).minScore(0.9).find(image).matches();
		assertEquals(1, found.size());
		assertArrayEquals(new long[] { 6, 4 }, found.get(0).position());
		assertEquals(1.0, found.get(0).score());
		final Match near = TemplateMatching.with(NormalizedCrossCorrelation.of(colours(TEMPLATE, template(3)))).minScore(0.9).find(image).matches().get(0);
		assertEquals(reference(null, new long[] { 6, 4 }, new int[] { 1, 1 }, false)[0], near.score(), 1e-15);
	}

	/** Three channels of smooth texture, shifted by a known part of a pixel, with noise. The errors are those of the covariance, which is smaller than that of one channel. */
	@Test
	void refinedPositionsUseAllChannels() {
		final int side = 14, margin = 6, width = side + 2 * margin, trials = 60;
		final double shift = 0.35, noise = 0.3;
		double squares = 0, variance = 0, ofOne = 0;
		for (int trial = 0; trial < trials; trial++) {
			final Random random = new Random(trial);
			final double[] image = new double[3 * width * width], template = new double[3 * side * side];
			for (int c = 0; c < 3; c++) {
				final double[][] waves = random.doubles(12L * 3).mapToObj(v -> new double[] { 0.9 * (v - 0.5), 0.9 * (random.nextDouble() - 0.5), 2 * Math.PI * random.nextDouble() })
					.toArray(double[][]::new);
				for (int i = 0; i < width * width; i++) image[c * width * width + i] = texture(waves, i % width - margin - shift, i / width - margin) + noise * random.nextGaussian();
				for (int i = 0; i < side * side; i++) template[c * side * side + i] = texture(waves, i % side, i / side);
			}
			final TemplateMatching joint = TemplateMatching.with(NormalizedCrossCorrelation.of(joint(PixelType.F64, new int[] { side, side }, template, 3)).backend("cpu")).maxMatches(1).refine(true);
			final Match m = joint.find(joint(PixelType.F64, new int[] { width, width }, image, 3)).matches().get(0);
			final Match one = TemplateMatching.with(NormalizedCrossCorrelation.of(ArrayImgs.doubles(Arrays.copyOf(template, side * side), side, side)).backend("cpu")).maxMatches(1).refine(true)
				.find(ArrayImgs.doubles(Arrays.copyOf(image, width * width), width, width)).matches().get(0);
			squares += Math.pow(m.subpixel()[0] - margin - shift, 2) / trials;
			variance += m.covariance()[0][0] / trials;
			ofOne += one.covariance()[0][0] / trials;
		}
		assertEquals(1, Math.sqrt(squares / variance), 0.3, "root mean square error " + Math.sqrt(squares) + ", expected " + Math.sqrt(variance));
		assertEquals(3, ofOne / variance, 1, "three channels have a third of the variance");
		assertTrue(Math.sqrt(squares) < 0.05, "" + Math.sqrt(squares));
	}

	/** A sum of waves with frequencies and phases, of variance 1. */
	private static double texture(final double[][] waves, final double x, final double y) {
		double sum = 0;
		for (final double[] w : waves) sum += Math.cos(w[0] * x * 2 + w[1] * y * 2 + w[2]);
		return sum * Math.sqrt(2.0 / waves.length);
	}

	/** The minimum score from the expected number of false matches, for channels that are independent and for equal ones: 80 matches are expected. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@Tag("slow")
	void falseAlarmsOfJointResponses(final boolean independent) {
		int found = 0;
		for (int p = 0; p < 40; p++) {
			final RandomAccessibleInterval<?> image = noise(p, 120, independent), template = noise(1000 + p, 12, independent);
			final TemplateMatching.Result r = TemplateMatching.with(NormalizedCrossCorrelation.of(template)).maxOverlap(1).falseAlarms(2).find(image);
			// of 144 pixels in a channel
			assertEquals(independent ? 432 : 144, r.backgrounds().get(0).effectivePixels(), independent ? 60 : 20);
			found += r.matches().size();
		}
		assertTrue(found > 40 && found < 130, found + " matches where 80 are expected");
	}

	private static RandomAccessibleInterval<?> noise(final long seed, final int side, final boolean independent) {
		final List<RandomAccessibleInterval<?>> channels = new ArrayList<>();
		for (int c = 0; c < 3; c++) {
			final Random random = new Random(independent ? 3 * seed + c : seed);
			channels.add(TestImages.image(PixelType.F32, new int[] { side, side }, random.doubles((long) side * side).map(v -> random.nextGaussian()).toArray()));
		}
		return JointImage.of(channels);
	}

	@Test
	void templatesAreTracked() {
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (int f = 0; f < 4; f++) frames.add(colours(SIZE, pattern(3, SIZE, 2 * f, f)));
		final List<TrackPoint> points = new ArrayList<>();
		TemplateTracking.ofRegions(List.of(Intervals.createMinSize(10, 7, 7, 5))).maxShift(3, 3).track(frames, points::addAll);
		assertEquals(4, points.size());
		assertArrayEquals(new long[] { 10 - 6, 7 - 3 }, points.get(3).position());
		assertEquals(1.0, points.get(3).score());
	}

	@Test
	void preparedImagesAndMeasuredPlans() {
		final Img<ARGBType> image = colours(SIZE, pattern(3, SIZE, 0, 0)), template = colours(TEMPLATE, template(3));
		final double[] map = maps(NormalizedCrossCorrelation.of(template).correlate(image));
		try (PreparedImage prepared = NormalizedCrossCorrelation.ofSize(7, 5).prepare(image)) {
			assertArrayEquals(map, maps(prepared.correlate(template)), 0);
			assertTrue(assertThrows(IllegalArgumentException.class, () -> prepared.correlate(TestImages.image(PixelType.U8, TEMPLATE, template(1)))).getMessage().contains("1 channel"));
		}
		assertArrayEquals(map, maps(NormalizedCrossCorrelation.of(template).effort(Effort.MEASURE, 0.5).correlate(image)), 2e-5);
		assertTrue(NormalizedCrossCorrelation.of(template).explain(image).toString().contains("3 channels together"));
	}

	/** Flat in one channel only: the others decide. Flat in all, or NaN in one: undefined. */
	@Test
	void undefinedWindows() {
		final double[] values = pattern(2, SIZE, 0, 0);
		Arrays.fill(values, 0, SIZE[0] * SIZE[1], 7);
		for (int y = 0; y < 6; y++)
			for (int x = 0; x < 9; x++) values[SIZE[0] * SIZE[1] + y * SIZE[0] + x] = 3;
		values[SIZE[0] * 16 + 22] = Double.NaN;
		final double[] map = maps(NormalizedCrossCorrelation.of(joint(PixelType.F32, TEMPLATE, template(2), 2)).undefined(Undefined.NAN)
			.correlate(joint(PixelType.F32, SIZE, values, 2)));
		final double[] reference = new ReferenceNcc(values, SIZE, template(2), TEMPLATE, null, null, 2).responses(ReferenceNcc.Form.EXACT, new long[2], new int[] { 17, 13 }, false, 1);
		assertTrue(Double.isNaN(map[0]) && Double.isNaN(map[map.length - 1]) && !Double.isNaN(map[5 * 17 + 10]));
		assertArrayEquals(reference, map, 1e-5);
	}

	@Test
	void refusals() {
		final Img<ARGBType> image = colours(SIZE, pattern(3, SIZE, 0, 0)), template = colours(TEMPLATE, template(3));
		final RandomAccessibleInterval<?> gray = TestImages.image(PixelType.U8, TEMPLATE, template(1));
		refused(() -> NormalizedCrossCorrelation.of(gray).correlate(image), "template has 1 channel", "image has 3");
		refused(() -> NormalizedCrossCorrelation.of(template).correlate(TestImages.image(PixelType.U8, SIZE, pattern(1, SIZE, 0, 0))), "template has 3 channels", "image has 1");
		refused(() -> NormalizedCrossCorrelation.of(template).algorithm("cpu-fourier-whole").correlate(image), "supports one channel, not 3", "use cpu-fourier");
		refused(() -> NormalizedCrossCorrelation.of(List.of(template, gray)).correlate(image), "3 channels", "1");
		refused(() -> NormalizedCrossCorrelation.of(template).mask(template).correlate(image), "mask", "3 channels");
		refused(() -> NormalizedCrossCorrelation.of(colours(TEMPLATE, new double[105])).correlate(image), "flat", "3 channels");
		refused(() -> Convolution.of(gray).convolve(image), "kernel has 1 channel", "image has 3");
		refused(() -> Convolution.of(template).convolve(image), "a kernel has one channel");
		refused(() -> JointImage.of(List.of(gray, TestImages.image(PixelType.U16, TEMPLATE, template(1)))), "U8", "U16");
		refused(() -> JointImage.of(gray, 2), "no dimension 2");
		refused(() -> TemplateTracking.of(List.of(gray), List.of(new long[2])).everywhere().track(List.of(image), p -> {}), "1 channel", "3");
	}

	/** A pixel is missing in all channels if the mask is 0 there, or if it is NaN in one of them. */
	@Test
	void missingPixels() {
		final double[] image = pattern(3, SIZE, 0, 0), present = new double[23 * 17], holes = image.clone();
		final Random random = new Random(5);
		for (int i = 0; i < present.length; i++) {
			present[i] = random.nextInt(4) == 0 ? 0 : 1;
			if (present[i] == 0) holes[i + present.length * random.nextInt(3)] = Double.NaN;
		}
		final JointImage real = joint(PixelType.F32, SIZE, image, 3), part = joint(PixelType.F32, TEMPLATE, template(3), 3);
		final RandomAccessibleInterval<?> mask = TestImages.image(PixelType.U8, SIZE, present);
		final double[] expected = new ReferenceNcc(image, SIZE, template(3), TEMPLATE, null, present, 3).responses(ReferenceNcc.Form.AFFORDABLE, new long[2],
			new int[] { SIZE[0] - TEMPLATE[0] + 1, SIZE[1] - TEMPLATE[1] + 1 }, true, 0.5);
		for (final String algorithm : new String[] { "cpu-direct", "cpu-fourier" }) {
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(part).minOverlap(0.5).undefined(Undefined.NAN).algorithm(algorithm);
			assertArrayEquals(expected, maps(op.imageMask(mask).correlate(real)), 1e-5);
			assertArrayEquals(expected, maps(op.imageMask(null).nan(NaNs.MISSING).correlate(joint(PixelType.F32, SIZE, holes, 3))), 1e-5);
		}
		final JointImage bytes = joint(PixelType.U8, SIZE, image, 3);
		final NormalizedCrossCorrelation exact = NormalizedCrossCorrelation.of(joint(PixelType.U8, TEMPLATE, template(3), 3)).minOverlap(0.5).undefined(Undefined.NAN).imageMask(mask);
		assertArrayEquals(expected, maps(exact.algorithm("cpu-direct-exact").correlate(bytes)), 1e-7);
		try (PreparedImage prepared = exact.algorithm("cpu-fourier").prepare(bytes)) {
			assertArrayEquals(expected, maps(prepared.correlate(joint(PixelType.U8, TEMPLATE, template(3), 3))), 1e-5);
		}
		final List<Match> matches = TemplateMatching.with(exact).minScore(0.2).maxOverlap(1).find(bytes).matches();
		assertTrue(matches.size() > 3, matches.size() + " matches");
		for (final Match m : matches)
			assertEquals(expected[(int) (m.position()[0] + (SIZE[0] - TEMPLATE[0] + 1) * m.position()[1])], m.score(), 1e-12, m.toString());
		// an integer is never NaN
		assertArrayEquals(maps(NormalizedCrossCorrelation.of(part).correlate(bytes)), maps(NormalizedCrossCorrelation.of(part).nan(NaNs.MISSING).correlate(bytes)), 0);
		final Img<ARGBType> colours = colours(SIZE, image);
		refused(() -> NormalizedCrossCorrelation.of(one(1, part)).imageMask(colours).correlate(one(1, real)), "the image mask has 3 channels: give one channel");
	}

	/** A template is followed although other pixels are missing in each frame. */
	@Test
	void trackingIgnoresMissingPixels() {
		final int n = 40, frames = 4, plane = n * n;
		final Random random = new Random(6);
		final double[] texture = RandomPixels.uniform(11, 3 * 60 * 60);
		final List<RandomAccessibleInterval<?>> images = new ArrayList<>();
		final double[] masks = new double[plane * frames];
		for (int f = 0; f < frames; f++) {
			final double[] frame = new double[3 * plane];
			for (int i = 0; i < plane; i++) {
				masks[f * plane + i] = random.nextInt(5) == 0 ? 0 : 1;
				// the texture moves by (-2, -1) each frame; missing pixels would mislead
				for (int c = 0; c < 3; c++) frame[c * plane + i] = masks[f * plane + i] == 0 ? 1000 : (float) texture[c * 3600 + (i / n + f) * 60 + i % n + 2 * f];
			}
			images.add(joint(PixelType.F32, new int[] { n, n }, frame, 3));
		}
		final List<TrackPoint> points = new ArrayList<>();
		for (final Update update : List.of(Update.FIXED, Update.PREVIOUS)) {
			points.clear();
			TemplateTracking.ofRegions(List.of(Intervals.createMinSize(20, 14, 11, 9))).maxShift(4, 4).update(update).imageMask(TestImages.image(PixelType.U8, new int[] { n, n, frames }, masks))
				.track(images, points::addAll);
			assertEquals(frames, points.size());
			for (final TrackPoint p : points) {
				assertArrayEquals(new long[] { 20 - 2 * p.frame(), 14 - p.frame() }, p.position(), update + " " + p);
				assertTrue(p.score() > 0.999999, update + " " + p);
			}
		}
	}

	/** Each channel shows only some of the content; each has another brightness. */
	@Test
	void coloursAndChannelsAreRegistered() {
		final int[] size = { 48, 40 };
		final double[] fixed = new double[3 * size[0] * size[1]], moving = new double[fixed.length];
		for (int c = 0; c < 3; c++)
			for (int y = 0; y < size[1]; y++)
				for (int x = 0; x < size[0]; x++) {
					final int i = (c * size[1] + y) * size[0] + x;
					// smooth, so that the shift between the pixels is 0
					fixed[i] = noise(c, x / 2, y / 2) / (1 + c);
					moving[i] = noise(c, (x - 4) / 2, (y + 6) / 2) / (1 + c);
				}
		for (final boolean colours : new boolean[] { false, true }) {
			final Alignment a = Registration.of(colours ? colours(size, fixed) : joint(PixelType.F32, size, fixed, 3)).subpixel(false).maxShift(10, 10)
				.register(colours ? colours(size, moving) : joint(PixelType.F32, size, moving, 3));
			assertArrayEquals(new double[] { 4, -6 }, a.shift(), 0);
		}
	}

	/** One channel. */
	private static RandomAccessibleInterval<?> one(final int channel, final JointImage of) {
		return of.channels().get(channel);
	}

	@Test
	void cpuAndGpusComputeJointResponsesWithMissingPixels() {
		final Correlation problem = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(60, 50), List.of(Size.of(9, 8)), Weights.NONE, new Lags(Size.of(52, 43),
			false, true, 0.5), 1);
		for (final Backend backend : Backends.all(2))
			for (final SlidingAlgorithm<Correlation> a : Problems.correlations(backend))
				if (List.of("cpu-direct-exact", "cpu-direct", "cpu-fourier", "cuda-direct-exact", "cuda-direct").contains(a.id())) assertTrue(a.unsupported(problem.of(3)).isEmpty(), a.id());
				else if (!a.id().equals("cuda-fourier")) assertTrue(a.unsupported(problem.of(3)).isPresent(), a.id());
	}

	@Test
	void specialisedAlgorithmsOfGpusRefuseSeveralChannels() {
		final Correlation problem = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(60, 50), List.of(Size.of(9, 8)), Weights.NONE,
			Lags.inside(Size.of(52, 43)), 1);
		for (final Backend backend : Backends.all(2))
			for (final SlidingAlgorithm<Correlation> a : Problems.correlations(backend))
				if (List.of("cuda-small-shifts", "cuda-fourier-tiles", "cuda-handbook-constant", "cuda-handbook-texture").contains(a.id()))
					assertTrue(a.unsupported(problem.of(3)).orElse("").contains("one channel, not joint responses of 3"), a.id());
	}

	private static void refused(final Runnable call, final String... words) {
		final String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
		for (final String word : words) assertTrue(message.contains(word), "\"" + message + "\" does not say \"" + word + "\"");
	}
}
