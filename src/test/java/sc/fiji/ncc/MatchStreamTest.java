package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.peaks.LocalMaxima;
import sc.fiji.ncc.peaks.MapRows;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.sink.PeakMaps;

/** Matches of frames that come one by one, without maps: those that maps would give. */
class MatchStreamTest {

	/** Boxes and the tiles within them lie anywhere; few levels make plateaus and flat windows. */
	@Property(tries = 60)
	void maximaAreThoseOfTheMaps(@ForAll final long seed, @ForAll final Extent extent, @ForAll final Undefined undefined) {
		final Random random = new Random(seed);
		final Img<UnsignedByteType> image = RandomPixels.image(random, random.nextBoolean() ? 2 : 256, 30 + random.nextInt(30), 20 + random.nextInt(30));
		final List<RandomAccessibleInterval<?>> templates = new ArrayList<>();
		for (int t = 0; t < 2; t++)
			templates.add(varied(Views.interval(image, FinalInterval.createMinSize(random.nextInt(9), random.nextInt(9), 2 + random.nextInt(6), 2 + random.nextInt(6)))));
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates).extent(extent).undefined(undefined).threads(2)
			.algorithm("cpu-direct-exact").maxLags(1 + random.nextInt(900));
		final float least = random.nextInt(3) == 0 ? -1 : random.nextFloat() - 0.2f;
		final List<ResponseLayout> layouts = op.call().layouts(image);
		final PeakMaps peaks = new PeakMaps(layouts, undefined, least, false);
		final List<TemplateBank> banks = TemplateBank.of(op.call().templates(), layouts);
		op.call().computeBanks(image, banks, op.call().rank(image, banks, sc.fiji.ncc.plan.Result.PEAKS), peaks);
		final Response maps = op.correlate(image);
		for (int t = 0; t < 2; t++) {
			final List<Peak> found = new ArrayList<>(), expected = new ArrayList<>();
			peaks.forEach(t, found::add);
			final float[] map = floats(maps.maps().get(t));
			final long[] size = maps.maps().get(t).dimensionsAsLongArray();
			LocalMaxima.find(MapRows.of(map, size), size, least, expected::add);
			assertEquals(text(expected), text(found), "template " + t);
		}
	}

	/** With two values at least. */
	private static RandomAccessibleInterval<?> varied(final RandomAccessibleInterval<UnsignedByteType> part) {
		final Img<UnsignedByteType> copy = ArrayImgs.unsignedBytes(part.dimensionsAsLongArray());
		final var from = Views.flatIterable(part).cursor();
		copy.forEach(p -> p.set(from.next()));
		copy.firstElement().set(copy.getAt(1, 1).get() == 0 ? 1 : 0);
		return copy;
	}

	private static float[] floats(final Img<FloatType> map) {
		final float[] values = new float[(int) map.size()];
		final var from = Views.flatIterable(map).cursor();
		for (int i = 0; i < values.length; i++) values[i] = from.next().get();
		return values;
	}

	private static List<String> text(final List<Peak> peaks) {
		return peaks.stream().sorted().map(p -> Arrays.toString(p.position()) + " " + (p.value() + 0.0)).toList();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void matchesOfEachFrameAreThoseOfItAlone(final boolean compete) {
		final Random random = new Random(8);
		final Img<UnsignedByteType> stack = RandomPixels.image(random, 256, 40, 30, 7);
		final List<RandomAccessibleInterval<?>> templates = List.of(Views.interval(Views.hyperSlice(stack, 2, 1), new long[] { 4, 4 }, new long[] { 10, 9 }),
			Views.interval(Views.hyperSlice(stack, 2, 3), new long[] { 14, 4 }, new long[] { 18, 11 }));
		final TemplateMatching matching = TemplateMatching.with(NormalizedCrossCorrelation.of(templates).threads(2)).minScore(0.25).maxMatches(6).maxOverlap(0.2)
			.compete(compete);
		final List<Match> all = new ArrayList<>();
		final StreamReport report = matching.findEach(Frames.of(stack, 2), (frame, found) -> {
			final List<Match> alone = matching.find(Views.hyperSlice(stack, 2, frame)).matches();
			assertEquals(matches(alone), matches(found.matches()), "frame " + frame);
			assertFalse(alone.isEmpty());
			for (final Match m : found.matches()) all.add(new Match(m.template(), new long[] { frame }, m.position(), m.score(), m.subpixel()));
		});
		assertEquals(7, report.frames());
		final List<Match> together = matching.find(stack).matches();
		assertEquals(matches(all).stream().sorted().toList(), matches(together).stream().sorted().toList());
		for (int i = 1; i < together.size(); i++) assertTrue(together.get(i).score() <= together.get(i - 1).score(), "best first");
	}

	private static List<String> matches(final List<Match> matches) {
		return matches.stream().map(m -> m + " " + Arrays.toString(m.subpixel())).toList();
	}

	@Test
	void aDeviceThatFailsLosesNoMatchAndAddsNone() {
		final Img<UnsignedByteType> stack = RandomPixels.image(new Random(9), 256, 40, 30, 9);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(Views.interval(Views.hyperSlice(stack, 2, 4), new long[] { 4, 4 }, new long[] { 10, 9 }))
			.threads(2).maxLags(300);
		final List<String> expected = matches(TemplateMatching.with(op.backends(List.of(new CpuBackend(2)))).minScore(0.2).find(stack).matches());
		assertTrue(expected.size() > 9);
		for (int k = 0; k < 30; k += 7) {
			final FakeDevice failing = new FakeDevice(), lost = new FakeDevice();
			failing.failLaunch = k; // its boxes hold 17 everywhere
			lost.loseAt = k;
			for (final FakeDevice device : List.of(failing, lost)) {
				assertEquals(expected, matches(TemplateMatching.with(op.backends(List.of(device, new CpuBackend(2)))).minScore(0.2).find(stack).matches()));
				assertEquals(0, device.open.get());
				assertTrue(device.completed.get() < 36, "of 36 boxes");
			}
		}
	}

	@Test
	void volumesAreFramesToo() {
		final Img<UnsignedByteType> volumes = RandomPixels.image(new Random(2), 256, 14, 12, 10, 3);
		final RandomAccessibleInterval<?> template = Views.interval(Views.hyperSlice(volumes, 3, 1), new long[] { 3, 4, 5 }, new long[] { 6, 7, 7 });
		final List<Match> found = TemplateMatching.with(NormalizedCrossCorrelation.of(template).maxLags(100)).minScore(0.9).find(volumes).matches();
		assertEquals(List.of("template 0 at [3, 4, 5] in frame [1], score 1.0"), found.stream().map(Match::toString).toList());
	}
}
