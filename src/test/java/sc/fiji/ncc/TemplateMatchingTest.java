package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import net.imglib2.Cursor;
import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessible;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.WrongResponses;
import sc.fiji.ncc.numeric.ExactScore;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.peaks.LocalMaxima;
import sc.fiji.ncc.peaks.MapRows;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.Response;

class TemplateMatchingTest {

	@Test
	void findsCopiesBestFirst() {
		final Img<UnsignedByteType> image = bytes(1, 120, 90);
		final RandomAccessibleInterval<UnsignedByteType> template = Views.interval(image, FinalInterval.createMinSize(10, 20, 15, 11));
		final long[][] copies = { { 60, 20 }, { 90, 70 }, { 0, 79 }, { 105, 0 } };
		for (int i = 0; i < copies.length; i++) {
			final double noise = 5 * i;
			final Random random = new Random(i);
			final Cursor<UnsignedByteType> from = Views.flatIterable(template).cursor();
			final Cursor<UnsignedByteType> to = Views.flatIterable(
				Views.interval(image, FinalInterval.createMinSize(copies[i][0], copies[i][1], 15, 11))).cursor();
			while (to.hasNext()) to.next().setReal(Math.max(0, Math.min(255, 40 + 0.7 * from.next().get() + noise * random.nextGaussian())));
		}
		final List<Match> matches = TemplateMatching.with(NormalizedCrossCorrelation.of(template)).minScore(0.7).find(image).matches();
		assertEquals(List.of("[10, 20]", "[60, 20]", "[90, 70]", "[0, 79]", "[105, 0]"), positions(matches));
		assertEquals(1, matches.get(0).score(), 3e-16);
		assertTrue(matches.get(1).score() > 0.999 && matches.get(4).score() < 0.98, "scores follow the noise");
		assertEquals(0, matches.get(4).template());
		assertEquals(105, matches.get(4).subpixel()[0], 0, "at the map's border along x there is no sub-pixel offset");
	}

	/** Every window of the map scored by the definition, every pair compared. */
	@Property(tries = 150)
	void asWindowByWindow(@ForAll final long seed, @ForAll final Extent extent, @ForAll final Border.Kind kind,
		@ForAll @IntRange(min = 1, max = 3) final int n)
	{
		final Random random = new Random(seed);
		final boolean coarse = random.nextBoolean(); // few values make ties and flat windows
		final long[] t = random.longs(n, 1, 5).toArray(), s = Arrays.stream(t).map(e -> e + random.nextInt(n < 3 ? 12 : 4)).toArray();
		t[0] = Math.max(2, t[0]);
		s[0] = Math.max(s[0], t[0]);
		if (kind == Border.Kind.MIRROR) for (int d = 0; d < n; d++) s[d] = Math.max(2, s[d]);
		final Img<DoubleType> image = ArrayImgs.doubles(s), template = ArrayImgs.doubles(t), mask = ArrayImgs.doubles(t);
		image.forEach(p -> p.set(coarse ? random.nextInt(2) : 100 * random.nextDouble()));
		template.forEach(p -> p.set(coarse ? random.nextInt(2) : random.nextDouble()));
		mask.forEach(p -> p.set(random.nextInt(5) == 0 ? 0 : 1));
		final Cursor<DoubleType> first = Views.flatIterable(template).cursor(), weights = Views.flatIterable(mask).cursor();
		for (int i = 0; i < 2; i++) {
			first.next().set(i); // not flat
			weights.next().set(1);
		}
		final long[] offset = random.longs(n, -5, 5).toArray();
		final Border border = new Border(kind, kind == Border.Kind.CONSTANT ? 3 : 0);
		final NormalizedCrossCorrelation correlation = NormalizedCrossCorrelation.of(template).mask(mask).extent(extent).border(border)
			.minOverlap(0.4).undefined(random.nextBoolean() ? Undefined.NAN : Undefined.ZERO);
		if (random.nextBoolean()) correlation.maxLags(1 + random.nextInt(40)); // maxima at borders between boxes
		final double least = random.nextInt(4) == 0 ? -1 : random.nextDouble() - 0.3, share = random.nextInt(5) / 4.0;
		final TemplateMatching matching = TemplateMatching.with(correlation).minScore(least).maxOverlap(share);
		final TemplateMatching.Result result = matching.find(Views.translate(image, offset));

		final List<Match> expected = new ArrayList<>();
		final List<Match> maxima = maxima(correlation.correlate(Views.translate(image, offset)), t, extent, p -> score(image, template, mask, border, p));
		maxima.sort(Comparator.comparingDouble((Match m) -> -m.score()).thenComparing((a, b) -> compareRaster(a.position(), b.position())));
		for (final Match m : maxima)
			if (m.score() >= least && expected.stream().noneMatch(e -> overlap(e.position(), m.position(), t) > share)) expected.add(m);
		assertEquals(text(expected), text(result.matches()));
	}

	@Test
	void equalScoresAreOrderedByFrameThenPosition() {
		final Img<UnsignedByteType> image = ArrayImgs.unsignedBytes(12, 12, 2, 2);
		final Cursor<UnsignedByteType> c = image.localizingCursor();
		while (c.hasNext()) {
			c.fwd();
			final long x = c.getLongPosition(0) % 6, y = c.getLongPosition(1) % 6;
			c.get().set(x == 2 && y == 3 ? 200 : 10);
		}
		final RandomAccessibleInterval<UnsignedByteType> template = Views.hyperSlice(Views.hyperSlice(
			Views.interval(image, new long[] { 1, 2, 0, 0 }, new long[] { 3, 4, 0, 0 }), 3, 0), 2, 0);
		final NormalizedCrossCorrelation correlation = NormalizedCrossCorrelation.of(template).threads(3);
		final List<Match> matches = TemplateMatching.with(correlation).minScore(0.99).find(image).matches();
		assertEquals(16, matches.size());
		assertEquals(List.of("[0, 0] [1, 2]", "[0, 0] [7, 2]", "[0, 0] [1, 8]", "[0, 0] [7, 8]", "[1, 0] [1, 2]"),
			matches.stream().limit(5).map(m -> Arrays.toString(m.frame()) + " " + Arrays.toString(m.position())).collect(Collectors.toList()));
		assertEquals(text(matches), text(TemplateMatching.with(correlation.threads(1)).minScore(0.99).find(image).matches()));
		final List<Match> one = TemplateMatching.with(correlation).minScore(0.99).maxMatches(1).find(image).matches();
		assertEquals(List.of("[1, 2]", "[1, 2]", "[1, 2]", "[1, 2]"), positions(one), "one in each frame");
		// boxes of a few lags, which end in any order, and two equal templates
		final NormalizedCrossCorrelation boxes = NormalizedCrossCorrelation.of(List.of(template, template)).threads(3).maxLags(7);
		final List<Match> several = TemplateMatching.with(boxes).minScore(0.99).find(image).matches();
		assertEquals(text(matches), text(several));
		assertTrue(several.stream().allMatch(m -> m.template() == 0));
	}

	@ParameterizedTest
	@EnumSource(Extent.class)
	void aPositionIsTheWindowsFirstPixelWhateverTheExtent(final Extent extent) {
		final Img<FloatType> image = texture(new double[2], 40, 31);
		final RandomAccessibleInterval<FloatType> template = Views.interval(image, FinalInterval.createMinSize(17, 8, 6, 9));
		final NormalizedCrossCorrelation correlation = NormalizedCrossCorrelation.of(template).extent(extent);
		final Match match = TemplateMatching.with(correlation).maxMatches(1).find(image).matches().get(0);
		assertArrayEquals(new long[] { 17, 8 }, match.position());
		assertEquals(1, match.score(), 1e-15);
		correlation.search(FinalInterval.createMinSize(15, 6, 10, 10));
		assertArrayEquals(new long[] { 17, 8 }, TemplateMatching.with(correlation).maxMatches(1).find(image).matches().get(0).position());
	}

	@Test
	void aMatchMayLieAcrossTheBorder() {
		final Img<FloatType> whole = texture(new double[2], 60, 50);
		final RandomAccessibleInterval<FloatType> template = Views.interval(whole, FinalInterval.createMinSize(4, 6, 12, 10));
		final RandomAccessibleInterval<FloatType> image = Views.interval(whole, FinalInterval.createMinSize(9, 8, 50, 40));
		for (final Extent extent : new Extent[] { Extent.FULL, Extent.SAME }) {
			final NormalizedCrossCorrelation correlation = NormalizedCrossCorrelation.of(template).extent(extent).border(Border.OVERLAP);
			final Match match = TemplateMatching.with(correlation.minOverlap(0.4)).maxMatches(1).find(image).matches().get(0);
			assertArrayEquals(new long[] { -5, -2 }, match.position());
			assertEquals(1, match.score(), 1e-15);
		}
	}

	@Test
	void windowsOfTooLittleOverlapTakeNoPartInTheFit() {
		final Img<FloatType> image = texture(new double[2], 30, 30);
		final RandomAccessibleInterval<FloatType> template = Views.interval(image, FinalInterval.createMinSize(0, 9, 11, 12));
		// a part of a pixel, because a template that occurs unchanged is found exactly at its pixel
		final Img<FloatType> shifted = texture(new double[] { 0.2, 0 }, 30, 30);
		final NormalizedCrossCorrelation correlation = NormalizedCrossCorrelation.of(template).extent(Extent.FULL);
		final double[] whole = TemplateMatching.with(correlation.minOverlap(1)).maxMatches(1).find(shifted).matches().get(0).subpixel();
		final double[] part = TemplateMatching.with(correlation.minOverlap(0.5)).maxMatches(1).find(shifted).matches().get(0).subpixel();
		assertEquals(0, whole[0]);
		assertTrue(part[0] != 0 && Math.abs(part[0]) < 0.3, "by a neighbour that is partly outside: " + part[0]);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3 })
	void aShiftedImageIsFoundToAFewHundredthsOfAPixel(final int n) {
		final long[] size = new long[n], min = new long[n], max = new long[n];
		Arrays.fill(size, n == 3 ? 34 : 64);
		Arrays.fill(min, n == 3 ? 10 : 12);
		Arrays.fill(max, n == 3 ? 29 : 43);
		final RandomAccessibleInterval<FloatType> template = Views.interval(texture(new double[n], size), min, max);
		double worst = 0;
		for (int k = 0; k < 8; k++) {
			final double[] shift = new Random(k).doubles(n, -3, 3).toArray();
			final Match match = TemplateMatching.with(NormalizedCrossCorrelation.of(template)).maxMatches(1).find(texture(shift, size)).matches().get(0);
			for (int d = 0; d < n; d++) worst = Math.max(worst, Math.abs(match.subpixel()[d] - min[d] - shift[d]));
		}
		assertEquals(0, worst, 0.05);
	}

	@Test
	void noFalseScoreLeaves() {
		final Img<UnsignedByteType> image = bytes(3, 60, 60);
		final RandomAccessibleInterval<UnsignedByteType> template = Views.interval(image, FinalInterval.createMinSize(20, 30, 9, 9));
		final NormalizedCrossCorrelation correlation = NormalizedCrossCorrelation.of(template).backends(List.of(WrongResponses.backend()));
		final TemplateMatching.Result result = TemplateMatching.with(correlation).minScore(0.9).maxOverlap(1).find(image);
		assertEquals(1f, correlation.correlate(image).map().firstElement().get(), "the map claims a perfect match everywhere");
		assertEquals(List.of("[20, 30]"), positions(result.matches()).stream().filter(p -> p.equals("[20, 30]")).collect(Collectors.toList()));
		assertTrue(result.matches().stream().allMatch(m -> m.score() >= 0.9));
		assertEquals(1, result.matches().size());
	}

	@Test
	void cancelEndsTheSearchForMatches() {
		final long[] left = new long[1];
		final Monitor monitor = new Monitor() {

			@Override
			public synchronized void total(final long responses) {
				left[0] = responses;
			}

			@Override
			public synchronized void done(final long responses) {
				left[0] -= responses;
			}

			@Override
			public synchronized boolean canceled() {
				return left[0] == 0;
			}
		};
		final Img<UnsignedByteType> image = bytes(4, 50, 50, 3);
		final Img<UnsignedByteType> template = bytes(5, 5, 5);
		final NormalizedCrossCorrelation correlation = NormalizedCrossCorrelation.of(template).monitor(monitor);
		assertThrows(CancellationException.class, () -> TemplateMatching.with(correlation).find(image));
		assertEquals(0, left[0]);
		assertFalse(TemplateMatching.with(correlation.monitor(Monitor.NONE)).minScore(0).find(image).matches().isEmpty());
	}

	@Test
	void saysWhatIsWrong() {
		final TemplateMatching matching = TemplateMatching.with(NormalizedCrossCorrelation.of(bytes(1, 3, 3)));
		assertEquals("the maximum number of matches is 0: give at least 1",
			assertThrows(IllegalArgumentException.class, () -> matching.maxMatches(0)).getMessage());
		assertEquals("the minimum score is 1.5: give a number from -1 to 1",
			assertThrows(IllegalArgumentException.class, () -> matching.minScore(1.5)).getMessage());
		assertThrows(IllegalArgumentException.class, () -> matching.minScore(Double.NaN));
		assertEquals("the maximum overlap is -0.1: give a share from 0 to 1",
			assertThrows(IllegalArgumentException.class, () -> matching.maxOverlap(-0.1)).getMessage());
		assertThrows(IllegalArgumentException.class, () -> matching.find(bytes(1, 2, 2)));
		assertThrows(IllegalArgumentException.class, () -> TemplateMatching.with((NormalizedCrossCorrelation) null));
	}

	private static Img<UnsignedByteType> bytes(final long seed, final long... size) {
		return RandomPixels.image(new Random(seed), 256, size);
	}

	/** Waves of 7 to 40 pixels' length in many directions, shifted: {@code f(x − shift)}. */
	private static Img<FloatType> texture(final double[] shift, final long... size) {
		final Random random = new Random(11);
		final int waves = 30;
		final double[][] k = new double[waves][size.length + 1];
		for (final double[] wave : k) {
			double norm = 0;
			for (int d = 0; d < size.length; d++) norm += Math.pow(wave[d] = random.nextGaussian(), 2);
			final double length = 7 + 33 * random.nextDouble();
			for (int d = 0; d < size.length; d++) wave[d] *= 2 * Math.PI / length / Math.sqrt(norm);
			wave[size.length] = 2 * Math.PI * random.nextDouble();
		}
		final Img<FloatType> image = ArrayImgs.floats(size);
		final Cursor<FloatType> c = image.localizingCursor();
		while (c.hasNext()) {
			c.fwd();
			double sum = 0;
			for (final double[] wave : k) {
				double phase = wave[size.length];
				for (int d = 0; d < size.length; d++) phase += wave[d] * (c.getDoublePosition(d) - shift[d]);
				sum += Math.cos(phase);
			}
			c.get().setReal(sum);
		}
		return image;
	}

	private static List<String> positions(final List<Match> matches) {
		return matches.stream().map(m -> Arrays.toString(m.position())).collect(Collectors.toList());
	}

	private static List<String> text(final List<Match> matches) {
		return matches.stream().map(m -> String.format("%s %s %.9f", Arrays.toString(m.frame()), Arrays.toString(m.position()), m.score() + 0.0))
			.collect(Collectors.toList());
	}

	private static int compareRaster(final long[] a, final long[] b) {
		for (int d = a.length - 1; d >= 0; d--) if (a[d] != b[d]) return Long.compare(a[d], b[d]);
		return 0;
	}

	private static double overlap(final long[] p, final long[] q, final long[] window) {
		double share = 1;
		for (int d = 0; d < window.length; d++) share *= Math.max(0, window[d] - Math.abs(p[d] - q[d])) / (double) window[d];
		return share;
	}

	/** The maxima of the map, each with what {@code score} gives for its window. */
	private static List<Match> maxima(final Response response, final long[] template, final Extent extent, final ToDoubleFunction<long[]> score) {
		final float[] values = new float[(int) Intervals.numElements(response.map())];
		final Cursor<FloatType> c = Views.flatIterable(response.map()).cursor();
		for (int i = 0; i < values.length; i++) values[i] = c.next().get();
		final long[] size = response.map().dimensionsAsLongArray();
		final List<Match> maxima = new ArrayList<>();
		LocalMaxima.find(MapRows.of(values, size), size, Float.NEGATIVE_INFINITY, peak -> {
			final long[] p = peak.position();
			for (int d = 0; d < p.length; d++) p[d] += response.origin()[d] - (extent == Extent.SAME ? template[d] / 2 : 0);
			maxima.add(new Match(0, new long[0], p, score.applyAsDouble(p), new double[p.length]));
		});
		return maxima;
	}

	private static double score(final Img<DoubleType> image, final Img<DoubleType> template, final Img<DoubleType> mask, final Border border,
		final long[] first)
	{
		final long[] size = template.dimensionsAsLongArray();
		final FinalInterval window = FinalInterval.wrap(first, max(first, size));
		final boolean inside = Intervals.contains(image, window);
		final Border.Kind kind = border.kind();
		if (!inside && kind == Border.Kind.UNDEFINED) return Double.NaN;
		final RandomAccessible<DoubleType> extended = kind == Border.Kind.MIRROR ? Views.extendMirrorSingle(image)
			: kind == Border.Kind.EDGE ? Views.extendBorder(image)
			: Views.extendValue(image, new DoubleType(border.value()));
		final double[] t = array(template), weights = array(mask), p = new double[t.length];
		final double all = Arrays.stream(weights).sum();
		final Cursor<DoubleType> c = Views.flatIterable(Views.interval(extended, window)).localizingCursor();
		for (int i = 0; i < p.length; i++) {
			p[i] = c.next().get();
			if (kind == Border.Kind.OVERLAP && !Intervals.contains(image, c)) weights[i] = 0;
		}
		if (Arrays.stream(weights).sum() < 0.4 * all) return Double.NaN;
		return new ExactScore(new Template(Size.of(size), PixelType.F64, t, null)).score(p, weights);
	}

	private static long[] max(final long[] first, final long[] size) {
		final long[] max = new long[size.length];
		for (int d = 0; d < size.length; d++) max[d] = first[d] + size[d] - 1;
		return max;
	}

	private static double[] array(final Img<DoubleType> image) {
		final double[] values = new double[(int) image.size()];
		final Cursor<DoubleType> c = Views.flatIterable(image).cursor();
		for (int i = 0; i < values.length; i++) values[i] = c.next().get();
		return values;
	}

	@Test
	void aMatchReadsAsAPlaceAndAScore() {
		assertEquals("template 0 at [10, 20], score 1.0", new Match(0, new long[0], new long[] { 10, 20 }, 1, new double[] { 10, 20 }).toString());
		assertEquals("template 1 at [3, 4] in frame [7], score 0.5",
			new Match(1, new long[] { 7 }, new long[] { 3, 4 }, 0.5, new double[] { 3, 4 }).toString());
	}

	/** The object lies at (40, 30). A region whose windows end before it has its maximum at the edge; the end of the image is no edge of the region. */
	@Test
	void aMaximumAtTheEdgeOfTheRegionIsMarked() {
		final Img<FloatType> image = ArrayImgs.floats(100, 80);
		final Cursor<FloatType> c = image.localizingCursor();
		while (c.hasNext()) c.next().set((float) Math.exp(-(Math.pow(c.getDoublePosition(0) - 45, 2) + Math.pow(c.getDoublePosition(1) - 35, 2)) / 200));
		final RandomAccessibleInterval<FloatType> template = Views.interval(image, FinalInterval.createMinSize(40, 30, 11, 11));
		for (final Extent extent : Extent.values()) {
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(template).extent(extent);
			assertEdge(false, new long[] { 40, 30 }, op, image);
			assertEdge(false, new long[] { 40, 30 }, op.inside(FinalInterval.createMinSize(20, 20, 50, 50)), image);
			assertEdge(true, new long[] { 38, 30 }, op.inside(FinalInterval.createMinMax(20, 20, 48, 69)), image);
			assertEdge(true, new long[] { 40, 32 }, op.inside(FinalInterval.createMinMax(20, 32, 69, 69)), image);
		}
		final RandomAccessibleInterval<FloatType> cut = Views.zeroMin(Views.interval(image, FinalInterval.createMinMax(0, 32, 48, 79)));
		assertEdge(false, new long[] { 38, 0 }, NormalizedCrossCorrelation.of(template), cut);
		assertEdge(false, new long[] { 38, 0 }, NormalizedCrossCorrelation.of(template).inside(FinalInterval.createMinMax(0, 0, 48, 47)), cut);
	}

	private static void assertEdge(final boolean edge, final long[] at, final NormalizedCrossCorrelation op, final RandomAccessibleInterval<?> image) {
		final Match best = TemplateMatching.with(op).minScore(0.2).maxMatches(1).find(image).matches().get(0);
		assertArrayEquals(at, best.position());
		assertEquals(edge, best.edge());
	}
}
