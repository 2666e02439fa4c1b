package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleBinaryOperator;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.ConstantUtils;
import net.imglib2.view.IntervalView;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.pose.PoseGrid;
import sc.fiji.ncc.pose.PoseImages;
import sc.fiji.ncc.pose.PoseOracle;
import sc.fiji.ncc.pose.PoseParts;
import sc.fiji.ncc.pose.PoseSupport;
import sc.fiji.ncc.result.BestPoses;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.result.PoseReport;
import sc.fiji.ncc.result.PosesFound;

class PoseSearchTest {

	private static final List<String> ALGORITHMS = List.of("auto", "cpu-bounded", "cpu-every-pose");

	/** A random problem: image, templates and settings. */
	private record Case(RandomAccessibleInterval<? extends RealType<?>> image, List<RandomAccessibleInterval<FloatType>> templates, double[] angles, double[] scales,
		boolean mirrored, double minScore)
	{

		PoseSearch search() {
			final PoseSearch search = PoseSearch.of(templates).angles(angles).scales(scales).mirrored(mirrored).minScore(minScore).refine(false).threads(2).backend("cpu");
			return search;
		}

		List<Template> read() {
			return templates.stream().map(t -> TemplateReader.read(t, null, false)).toList();
		}

		static Case of(final long seed, final int side, final int maxRadius) {
			final SplittableRandom random = new SplittableRandom(seed);
			final int radius = random.nextInt(4, maxRadius + 1), kind = random.nextInt(4), count = random.nextInt(3) == 0 ? 2 : 1;
			final int w = side + random.nextInt(20), h = side + random.nextInt(20);
			final ArrayImg<FloatType, ?> image = PoseImages.noise(seed, w, h, kind == 0 ? 0.3 : 0.02);
			final List<RandomAccessibleInterval<FloatType>> templates = new ArrayList<>();
			for (int t = 0; t < count; t++) {
				final DoubleBinaryOperator object = PoseImages.object(seed * 7 + t, radius);
				templates.add(PoseImages.template(object, 2 * radius + random.nextInt(3), 2 * radius + random.nextInt(3)));
				for (int i = 0; i < 4; i++)
					PoseImages.add(image, object, random.nextDouble() * w, random.nextDouble() * h, 1.5 * radius,
						Pose.of(360 * random.nextDouble(), 0.8 + 0.5 * random.nextDouble(), random.nextInt(4) == 0));
			}
			final double[] angles = random.nextInt(4) == 0 ? PoseGrid.angleRange(-30, 45, 5) : PoseGrid.angleRange(0, 360, 360.0 / random.nextInt(18, 48));
			final double[] scales = random.nextBoolean() ? new double[] { 1 } : PoseGrid.scaleRange(0.8, 1.3, 1.25);
			final double minScore = 0.3 + 0.65 * random.nextDouble();
			final RandomAccessibleInterval<? extends RealType<?>> typed = kind == 1 ? bytes(image) : kind == 2 ? shorts(image) : image;
			return new Case(typed, templates, angles, scales, random.nextInt(3) == 0, minScore);
		}

		private static RandomAccessibleInterval<? extends RealType<?>> bytes(final RandomAccessibleInterval<FloatType> from) {
			final var to = ArrayImgs.unsignedBytes(from.dimensionsAsLongArray());
			LoopBuilder.setImages(from, to).forEachPixel((f, b) -> b.setReal(Math.max(0, Math.min(255, Math.rint(128 + 60 * f.get())))));
			return to;
		}

		private static RandomAccessibleInterval<? extends RealType<?>> shorts(final RandomAccessibleInterval<FloatType> from) {
			final var to = ArrayImgs.unsignedShorts(from.dimensionsAsLongArray());
			LoopBuilder.setImages(from, to).forEachPixel((f, b) -> b.setReal(Math.max(0, Math.min(65535, Math.rint(40000 + 60 * f.get())))));
			return to;
		}
	}

	private static List<String> places(final List<PoseMatch> matches) {
		final List<String> places = new ArrayList<>();
		for (final PoseMatch m : matches) places.add(m.template() + " " + Arrays.toString(m.position()) + " " + m.gridPose());
		return places;
	}

	private static List<String> places(final Case c, final List<PoseOracle.Found> found) {
		final List<String> places = new ArrayList<>();
		for (final PoseOracle.Found f : found) places.add(f.template() + " " + f.position() + " " + f.pose());
		return places;
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 })
	void findsWhatTheDefinitionFinds(final long seed) {
		final Case c = Case.of(seed, 50, 8);
		final List<PoseOracle.Found> expected =
			PoseOracle.find(c.image(), c.read(), PoseGrid.DEFAULT.angles(c.angles()).scales(c.scales()).mirrored(c.mirrored()).poses(c.read()), c.minScore(), 0.5);
		for (final String id : ALGORITHMS) assertSame(c, expected, c.search().algorithm(id).find(c.image()).matches(), id);
		if (new CudaBackend().unavailable().isEmpty()) assertSame(c, expected, c.search().backend("cuda").find(c.image()).matches(), "on a GPU");
	}

	private static void assertSame(final Case c, final List<PoseOracle.Found> expected, final List<PoseMatch> found, final String how) {
		assertEquals(places(c, expected), places(found), how);
		for (int i = 0; i < found.size(); i++) assertEquals(expected.get(i).score(), found.get(i).score(), 1e-9);
	}

	/** A match that reaches the minimum score before the refinement reaches it after it. */
	@Test
	void refinementOfNoiseKeepsTheMinimumScore() {
		final ArrayImg<FloatType, ?> image = PoseImages.noise(5, 60, 50, 1), template = PoseImages.noise(6, 11, 10, 1);
		for (final PoseSupport support : PoseSupport.values()) {
			final List<PoseMatch> found =
				PoseSearch.of(template).angleRange(0, 360, 15).scaleRange(0.9, 1, 1.1).support(support).minScore(0.25).threads(2).backend("cpu").find(image).matches();
			assertTrue(found.size() > 20, support + ": " + found.size() + " matches");
			for (final PoseMatch m : found)
				assertTrue(m.score() >= m.gridScore() && m.gridScore() >= 0.25, support + ": " + m.score() + " after refinement, " + m.gridScore() + " before: " + m);
			assertTrue(found.stream().anyMatch(m -> m.score() > m.gridScore() + 0.01));
		}
	}

	/** Floats of any size, NaN, maps, streams and regions, on a GPU and on the CPU. */
	@Test
	@Tag("gpu")
	void aGpuFindsWhatTheCpuFinds() {
		RequiredGpu.require();
		final DoubleBinaryOperator object = PoseImages.object(11, 8);
		final ArrayImg<FloatType, ?> plain = PoseImages.noise(3, 90, 70, 0.05);
		PoseImages.add(plain, object, 30, 30, 12, Pose.of(20, 1, false));
		PoseImages.add(plain, object, 62, 40, 12, Pose.of(250, 1, false));
		final List<RandomAccessibleInterval<FloatType>> frames = new ArrayList<>();
		for (final double[] change : new double[][] { { 1, 0 }, { 1e-30, 0 }, { 1e30, 0 }, { 1e-40, 0 }, { 1, 1e4 }, { 1, 1e6 }, { Double.NaN, 0 } }) {
			final ArrayImg<FloatType, ?> image = ArrayImgs.floats(90, 70);
			final boolean broken = Double.isNaN(change[0]);
			LoopBuilder.setImages(plain, image).forEachPixel((f, d) -> d.set((float) ((broken ? 1 : change[0]) * f.get() + change[1])));
			image.getAt(80, 3).set(broken ? Float.NaN : (float) (change[0] * 1e5));
			if (broken) image.getAt(3, 60).set(Float.POSITIVE_INFINITY);
			// a flat part
			if (broken) for (int i = 0; i < 900; i++) image.getAt(i % 30, i / 30).set(3);
			frames.add(image);
		}
		final PoseSearch search = PoseSearch.of(PoseImages.template(object, 17, 17)).angleRange(0, 360, 5).scaleRange(0.9, 1.1, 1.1).minScore(0.6);
		for (final RandomAccessibleInterval<FloatType> frame : frames) {
			final PosesFound gpu = search.backend("cuda").algorithm("cuda-bounded").find(frame), cpu = search.backend("cpu").algorithm("cpu-bounded").find(frame);
			assertEquals(cpu.matches().toString(), gpu.matches().toString());
			assertTrue(cpu.matches().size() >= 2);
			final BestPoses best = search.backend("cuda").algorithm("cuda-bounded").bestPoses(frame),
				other = search.backend("cpu").algorithm("cpu-bounded").bestPoses(frame);
			LoopBuilder.setImages(best.score(), other.score(), best.pose(), other.pose()).forEachPixel((a, b, p, q) -> {
				assertEquals(b.get(), a.get());
				assertEquals(q.get(), p.get());
			});
		}
		final FinalInterval inside = new FinalInterval(new long[] { 40, 10 }, new long[] { 89, 69 });
		assertEquals(search.backend("cpu").algorithm("cpu-bounded").inside(inside).find(plain).matches().toString(),
			search.backend("cuda").algorithm("cuda-bounded").find(plain).matches().toString());
		search.inside(null);
		final List<String> gpu = new ArrayList<>(), cpu = new ArrayList<>();
		search.findEach(frames, (i, found) -> gpu.add(found.matches().toString()));
		search.backend("cpu").algorithm("cpu-bounded").findEach(frames, (i, found) -> cpu.add(found.matches().toString()));
		assertEquals(cpu, gpu);
	}

	@Test
	void poseZeroIsTheOrdinaryCorrelation() {
		final RandomAccessibleInterval<FloatType> image = PoseImages.noise(1, 60, 50, 1),
			template = Views.zeroMin(Views.interval(image, new FinalInterval(new long[] { 20, 13 }, new long[] { 32, 23 })));
		final List<PoseMatch> found = PoseSearch.of(template).angles(0).support(PoseSupport.WHOLE).refine(false).minScore(0.4).find(image).matches();
		assertArrayEquals(new long[] { 20, 13 }, found.get(0).position());
		assertEquals(1, found.get(0).score(), 1e-6);
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0, 30, 90, 123, 200, 270, 359 })
	void aKnownPoseIsRefined(final double angle) {
		// two of them among all angles, the others near
		final double range = angle == 0 || angle == 200 ? 180 : 20;
		for (final PoseSupport support : PoseSupport.values()) {
			final DoubleBinaryOperator object = PoseImages.object(11, 15);
			final RandomAccessibleInterval<FloatType> template = PoseImages.template(object, 31, 31);
			final ArrayImg<FloatType, ?> image = PoseImages.noise(3, 100, 90, 0.001);
			final Pose pose = Pose.of(angle + 1.3, 1.07, angle == 200);
			PoseImages.add(image, object, 48.3, 44.8, 26, pose);
			final PoseMatch m = PoseSearch.of(template).angleRange(angle - range, angle + range, 4).scaleRange(0.9, 1.2, 1.1).mirrored(true)
				.support(support).minScore(0.8).backend("cpu").find(image).matches().get(0);
			assertEquals(48.3, m.subpixel()[0] + 15, 0.02);
			assertEquals(44.8, m.subpixel()[1] + 15, 0.02);
			assertEquals(0, Math.IEEEremainder(m.pose().angle() - pose.angle(), 360), 0.1);
			assertEquals(1.07, m.pose().scale(), 0.001);
			assertEquals(pose.mirrored(), m.pose().mirrored());
			assertTrue(m.score() > 0.999 && m.score() > m.gridScore(), m.toString());
		}
	}

	/** The image times any number, and images with a bright spot or a large offset, with and without a basis. */
	@Test
	void extremeImages() {
		final DoubleBinaryOperator object = PoseImages.object(11, 8);
		final ArrayImg<FloatType, ?> plain = PoseImages.noise(3, 90, 70, 0.05);
		PoseImages.add(plain, object, 30, 30, 12, Pose.of(20, 1, false));
		PoseImages.add(plain, object, 62, 40, 12, Pose.of(250, 1, false));
		final PoseSearch search = PoseSearch.of(PoseImages.template(object, 17, 17)).angleRange(0, 360, 10).minScore(0.6).refine(false).backend("cpu");
		final List<String> expected = places(search.find(plain).matches());
		assertTrue(expected.size() >= 2, expected.toString());
		for (final double[] change : new double[][] { { 1e-300, 0 }, { 1e300, 0 }, { 1e-9, 1 }, { 1, 1e6 }, { 1e-40, 0 } }) {
			final var image = ArrayImgs.doubles(90, 70);
			LoopBuilder.setImages(plain, image).forEachPixel((f, d) -> d.set(change[0] * f.get() + change[1]));
			image.getAt(80, 3).set(change[0] * 1e5);
			final List<String> all = places(search.algorithm("cpu-every-pose").find(image).matches());
			assertEquals(all, places(search.algorithm("cpu-bounded").find(image).matches()), Arrays.toString(change));
			assertEquals(expected, all, Arrays.toString(change));
		}
	}

	/** Counter-clockwise as seen on the screen: a quarter turn moves what was right to the top. */
	@Test
	void anglesAreCounterClockwise() {
		final float[] t = new float[49], turned = new float[49];
		final SplittableRandom random = new SplittableRandom(2);
		for (int y = 0; y < 7; y++)
			for (int x = 0; x < 7; x++) {
				t[x + 7 * y] = (float) random.nextDouble();
				// (x, y) about the centre goes to (y, -x)
				turned[y + 7 * (6 - x)] = t[x + 7 * y];
			}
		final PoseMatch m = PoseSearch.of(ArrayImgs.floats(t, 7, 7)).angleRange(0, 360, 90).refine(false).find(ArrayImgs.floats(turned, 7, 7)).matches().get(0);
		assertEquals(90, m.pose().angle());
		assertEquals(1, m.score(), 1e-9);
	}

	@Test
	void theBestPosesAreThoseOfEveryPose() {
		final Case c = Case.of(77, 60, 7);
		final BestPoses basis = PoseSearch.of(c.templates().get(0)).angleRange(0, 360, 12).minScore(0.4).algorithm("cpu-bounded").backend("cpu").bestPoses(c.image());
		final BestPoses all = PoseSearch.of(c.templates().get(0)).angleRange(0, 360, 12).minScore(0.4).algorithm("cpu-every-pose")
			.backend("cpu").bestPoses(c.image());
		final AtomicLong defined = new AtomicLong();
		LoopBuilder.setImages(basis.score(), all.score(), basis.pose(), all.pose()).forEachPixel((a, b, p, q) -> {
			assertEquals(a.get(), b.get(), 1.1e-5);
			assertEquals(q.get(), p.get());
			if (!Float.isNaN(a.get())) defined.incrementAndGet();
		});
		assertTrue(defined.get() > 10, "defined: " + defined);
	}

	/** The maps of a search are those of {@code bestPoses} for each template and frame, and do not change the matches. */
	@Test
	void mapsComeWithTheMatches() {
		final List<RandomAccessibleInterval<FloatType>> templates = List.of(PoseImages.template(PoseImages.object(3, 5), 11, 10),
			PoseImages.template(PoseImages.object(11, 15), 11, 10));
		final List<RandomAccessibleInterval<FloatType>> frames = List.of(PoseImages.noise(8, 60, 50, 1), PoseImages.noise(9, 60, 50, 1));
		final PoseSearch search = PoseSearch.of(templates).angleRange(0, 360, 30).minScore(0.4).compete(false);
		final PosesFound plain = search.find(Views.stack(frames)), found = search.maps(true).find(Views.stack(frames));
		assertTrue(plain.matches().size() > 2 && plain.maps().isEmpty());
		assertEquals(plain.matches().toString(), found.matches().toString());
		assertEquals(4, found.maps().size());
		for (int i = 0; i < 4; i++) {
			final BestPoses map = found.maps().get(i), alone = PoseSearch.of(templates.get(i % 2)).angleRange(0, 360, 30).minScore(0.4).bestPoses(frames.get(i / 2));
			assertArrayEquals(alone.origin(), map.origin());
			assertEquals(alone.poses(), map.poses());
			LoopBuilder.setImages(alone.score(), map.score(), alone.pose(), map.pose()).forEachPixel((a, b, p, q) -> {
				assertEquals(a.get(), b.get(), 1.1e-5);
				assertEquals(p.get(), q.get());
			});
		}
		// the score and the pose of each match are those of the map at its position
		for (final PoseMatch m : search.refine(false).find(Views.stack(frames)).matches()) {
			final BestPoses map = found.maps().get((int) (2 * m.frame()[0] + m.template()));
			final long x = m.position()[0] - map.origin()[0], y = m.position()[1] - map.origin()[1];
			assertEquals(m.score(), map.score().getAt(x, y).get(), 1.1e-5);
			assertEquals(m.pose(), map.poses().get(map.pose().getAt(x, y).get() - 1));
		}
	}

	@Test
	void framesAndStreamsAgree() {
		final Case c = Case.of(5, 60, 7);
		final RandomAccessibleInterval<FloatType> a = PoseImages.noise(8, 60, 50, 1), b = PoseImages.noise(9, 60, 50, 1);
		final PoseSearch search = c.search().minScore(0.4);
		final List<PoseMatch> stack = search.find(Views.stack(a, b)).matches();
		final List<PoseMatch> stream = new ArrayList<>();
		search.findEach(List.of(a, b), (index, found) -> found.matches().forEach(m -> stream.add(m.in(new long[] { index }))));
		stream.sort((x, y) -> Double.compare(y.score(), x.score()));
		assertEquals(stream.stream().map(PoseMatch::toString).toList(), stack.stream().map(PoseMatch::toString).toList());
		assertTrue(stack.size() > 2);
	}

	/** Each frame is searched by itself, also where exact scores are computed after the maps. */
	@ParameterizedTest
	@ValueSource(strings = { "auto", "cpu-bounded", "cpu-every-pose" })
	void framesDoNotAffectEachOther(final String algorithm) {
		final Case c = Case.of(5, 60, 7);
		final PoseSearch search = c.search().minScore(0.4).algorithm(algorithm);
		final List<RandomAccessibleInterval<FloatType>> frames = List.of(PoseImages.noise(8, 60, 50, 1), PoseImages.noise(9, 60, 50,
			1), PoseImages.noise(10, 60, 50, 1));
		search.findEach(frames, (index, found) -> {
			final List<PoseMatch> alone = search.find(frames.get((int) index)).matches();
			assertEquals(alone.toString(), found.matches().toString(), "frame " + index);
			assertTrue(!alone.isEmpty());
		});
	}

	@Test
	void memoryAndBoxesDoNotChangeTheResult() {
		final Case c = Case.of(31, 150, 9);
		final List<String> expected = places(c.search().minScore(0.5).find(c.image()).matches());
		assertTrue(!expected.isEmpty());
		for (final String id : ALGORITHMS)
			assertEquals(expected, places(c.search().minScore(0.5).algorithm(id).memory(1 << 22).find(c.image()).matches()));
		final PoseReport plan = c.search().memory(1 << 22).explain(c.image());
		assertTrue(plan.bytes() > 0 && plan.lines().size() >= 1 && plan.ranking().isPresent());
	}

	@Test
	void aRegionBoundsSupports() {
		final DoubleBinaryOperator object = PoseImages.object(11, 8);
		final ArrayImg<FloatType, ?> image = PoseImages.noise(3, 120, 60, 0.01);
		PoseImages.add(image, object, 30, 30, 12, Pose.of(20, 1, false));
		PoseImages.add(image, object, 90, 30, 12, Pose.of(50, 1, false));
		final List<PoseMatch> found = PoseSearch.of(PoseImages.template(object, 17, 17)).angleRange(0, 360, 5).minScore(0.8)
			.inside(new FinalInterval(new long[] { 60, 0 }, new long[] { 119, 59 })).find(image).matches();
		assertEquals(1, found.size());
		assertArrayEquals(new long[] { 82, 22 }, found.get(0).position());
		assertEquals(82, found.get(0).subpixel()[0], 0.05);
	}

	/** The support of 15 pixels begins one pixel after the template's box. Only a box that begins or ends with it, within the image, has it at its edge. */
	@Test
	void aSupportAtTheEdgeOfARegion() {
		final DoubleBinaryOperator object = PoseImages.object(11, 8);
		final ArrayImg<FloatType, ?> image = PoseImages.noise(3, 120, 60, 0.01);
		PoseImages.add(image, object, 90, 30, 12, Pose.of(50, 1, false));
		final PoseSearch search = PoseSearch.of(PoseImages.template(object, 17, 17)).angleRange(0, 360, 5).minScore(0.8).maxMatches(1);
		final long first = firstOfSupport(search, image), last = 180 - first;
		for (final long[] box : new long[][] { { first - 1, 119, 0 }, { first, 119, 1 }, { 0, last + 1, 0 }, { 0, last, 1 } }) {
			final FinalInterval inside = new FinalInterval(new long[] { box[0], 0 }, new long[] { box[1], 59 });
			final PoseMatch match = search.inside(inside).find(image).matches().get(0);
			assertArrayEquals(new long[] { 82, 22 }, match.position());
			assertEquals(box[2] == 1, match.edge(), Arrays.toString(box));
			assertEquals(match.edge(), match.match().edge());
			assertEquals(match.edge(), search.refine(false).find(image).matches().get(0).edge());
			search.refine(true);
			try (PoseParts parts = search.parts(image)) {
				final List<PoseParts.Maxima> maxima = new ArrayList<>();
				for (long b = 0; b < parts.count(); b++) maxima.add(parts.maxima(b).join());
				final PosesFound found = parts.matches(maxima, chosen -> parts.refined(chosen).join()).get(0);
				assertEquals(match.edge(), found.matches().get(0).edge(), Arrays.toString(box));
			}
		}
		// the image ends with the support
		final IntervalView<FloatType> cut = Views.zeroMin(Views.interval(image, new FinalInterval(new long[] { first, 0 }, new long[] { 119, 59 })));
		assertFalse(search.inside(new FinalInterval(new long[] { 0, 0 }, new long[] { 119 - first, 59 })).find(cut).matches().get(0).edge());
		assertFalse(search.inside(null).find(cut).matches().get(0).edge());
	}

	/** The greatest x at which a box can begin to hold the support of the object at 90. */
	private static long firstOfSupport(final PoseSearch search, final ArrayImg<FloatType, ?> image) {
		for (long x = 82; ; x++) {
			final List<PoseMatch> found = search.inside(new FinalInterval(new long[] { x, 0 }, new long[] { 119, 59 })).find(image).matches();
			if (found.isEmpty() || found.get(0).position()[0] != 82) return x - 1;
		}
	}

	@Test
	void flatAndBrokenWindowsHaveNoScore() {
		final ArrayImg<FloatType, ?> image = ArrayImgs.floats(60, 60);
		image.getAt(30, 30).set(Float.NaN);
		image.getAt(10, 10).set(Float.POSITIVE_INFINITY);
		final PoseSearch search = PoseSearch.of(PoseImages.template(PoseImages.object(1, 6), 13, 13)).angleRange(0, 360, 15).minScore(-1);
		for (final String id : ALGORITHMS) assertEquals(0, search.algorithm(id).find(image).matches().size());
	}

	@Test
	void badInputIsNamed() {
		final RandomAccessibleInterval<FloatType> t = PoseImages.template(PoseImages.object(1, 6), 13, 13), image = PoseImages.noise(3, 40, 40, 1);
		message("step of the angles is 0.0", () -> PoseSearch.of(t).angleRange(0, 360, 0));
		message("from 90.0 to 0.0", () -> PoseSearch.of(t).angleRange(90, 0, 5));
		message("the scale is 0.0", () -> PoseSearch.of(t).scaleRange(0, 1, 1.1));
		message("factor between scales is 1.0", () -> PoseSearch.of(t).scaleRange(0.5, 1, 1));
		message("the smaller one first", () -> PoseSearch.of(t).scaleRange(2, 1, 1.1));
		message("too small for a disk", () -> PoseSearch.of(PoseImages.template(PoseImages.object(1, 6), 13, 2)).find(image));
		message("no contrast within the support", () -> PoseSearch.of(corner()).angleRange(0, 90, 10).find(image));
		message("needs [65, 65] pixels", () -> PoseSearch.of(t).scales(5.4).find(image));
		message("give at least", () -> PoseSearch.of(t).angleRange(0, 360, 0.5).algorithm("cpu-every-pose").memory(1 << 22)
			.find(PoseImages.noise(3, 400, 400, 1)));
		message("give angles for 2 dimensions", () -> PoseSearch.of(t).rotations(List.of(new double[] { 1, 0, 0, 0 })).find(image));
		message("the template of 13x13 is flat", () -> PoseSearch.of(ArrayImgs.argbs(13, 13)).find(image));
		message("the template has 1 channel, the image has 3", () -> PoseSearch.of(t).find(ArrayImgs.argbs(40, 40)));
		message("the template has 2 channels, the image has 1", () -> PoseSearch.of(JointImage.of(List.of(t, t))).find(image));
		message("a template has 1 channels, another one 2", () -> PoseSearch.of(List.of(t, JointImage.of(List.of(t, t)))).find(image));
		message("pixels", () -> PoseSearch.of(t).scales(0.1).find(image));
		message("the precision is double", () -> PoseSearch.of(t).precision(sc.fiji.ncc.plan.Precision.DOUBLE).find(image));
	}

	/** Contrast only in a corner, outside the disk. */
	private static RandomAccessibleInterval<FloatType> corner() {
		final ArrayImg<FloatType, ?> t = ArrayImgs.floats(60, 60);
		t.getAt(0, 0).set(1);
		return t;
	}

	private static void message(final String part, final Runnable call) {
		final String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
		assertTrue(message.contains(part) && !message.contains("\n"), message);
	}

	@Test
	void cancelEndsTheSearch() {
		final Monitor canceled = new Monitor() {

			@Override
			public boolean canceled() {
				return true;
			}
		};
		assertThrows(CancellationException.class,
			() -> PoseSearch.of(PoseImages.template(PoseImages.object(1, 6), 13, 13)).monitor(canceled).find(PoseImages.noise(3, 100, 100, 1)));
	}

	/** Noise with a low minimum score is the worst case: nothing can be left out, so every pose is correlated. */
	@Test
	void thePlannerCorrelatesEveryPoseOfNoise() {
		final RandomAccessibleInterval<FloatType> image = PoseImages.noise(4, 700, 700, 1), t = Views.zeroMin(Views.interval(image,
			new FinalInterval(new long[] { 50, 60 }, new long[] { 80, 90 })));
		final PoseSearch search = PoseSearch.of(t).angleRange(0, 360, 2).backend("cpu");
		assertTrue(search.minScore(0.1).explain(image).lines().get(0).contains("every pose is correlated"));
		assertTrue(search.minScore(0.9).explain(image).lines().get(0).contains("kept by their energy, "), search.explain(image).lines().get(0));
		assertTrue(!search.explain(image).lines().get(0).contains("every pose is correlated"));
	}

	@Test
	void automaticStepsFollowTheTemplate() {
		final int fine = PoseSearch.of(PoseImages.template(PoseImages.object(1, 40), 81, 81)).explain(PoseImages.noise(3, 100, 100, 1)).poses();
		final int coarse = PoseSearch.of(PoseImages.template((x, y) -> x, 13, 13)).explain(PoseImages.noise(3, 100, 100, 1)).poses();
		assertTrue(fine > coarse && coarse >= 36, fine + " and " + coarse);
		assertNotEquals(0, coarse);
	}

	/** Boxes of several processes: a maximum is compared with its neighbours in other boxes. The supports of two scales have lags of their own. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void localMaximaOfPartsAreThoseOfTheWholeImage(final boolean exhaustive) {
		final double min = 0.2, tolerance = 3e-5;
		final ArrayImg<FloatType, ?> image = PoseImages.noise(5, 1200, 70, 1);
		final PoseSearch search = PoseSearch.of(PoseImages.template(PoseImages.object(3, 5), 11, 10)).angleRange(0, 360, 20).scales(0.8, 1.2)
			.minScore(min).threads(1).backend("cpu")
			.algorithm(exhaustive ? "cpu-every-pose" : "auto");
		final List<String> found = new ArrayList<>();
		try (PoseParts parts = search.parts(image)) {
			assertTrue(parts.count() > 1, parts.count() + " boxes");
			for (long b = 0; b < parts.count(); b++) parts.maxima(b).join().maxima().forEach(m -> found.add(Arrays.toString(m.position())));
		}
		final BestPoses best = search.bestPoses(image);
		final var scores = Views.extendValue(best.score(), new FloatType(Float.NaN)).randomAccess();
		int maxima = 0;
		for (int y = 0; y < best.score().dimension(1); y++)
			for (int x = 0; x < best.score().dimension(0); x++) {
				final float s = scores.setPositionAndGet(x, y).get();
				float greatest = Float.NEGATIVE_INFINITY;
				for (int k = 0; k < 9; k++) {
					final float n = scores.setPositionAndGet(x + k % 3 - 1, y + k / 3 - 1).get();
					if (k != 4 && n > greatest) greatest = n;
				}
				final String at = Arrays.toString(new long[] { x + best.origin()[0], y + best.origin()[1] });
				final boolean is = found.remove(at);
				if (is) maxima++;
				if (s > min + tolerance && s > greatest + tolerance) assertTrue(is, at);
				if (!(s > min - tolerance) || s < greatest - tolerance) assertTrue(!is, at + " " + s + " " + greatest);
			}
		assertEquals(List.of(), found);
		assertTrue(maxima > 500, maxima + " maxima");
	}

	/** A search keeps the maps of all frames. It is refused before it reads a pixel, and not when the heap is full. */
	@Test
	void mapsThatTheHeapCannotHoldAreRefused() {
		final RandomAccessibleInterval<FloatType> unread = Converters.convert(ConstantUtils.constantRandomAccessibleInterval(new FloatType(),
			new FinalInterval(2000, 2000, 1_000_000)), (in, out) -> {
				throw new AssertionError("a pixel was read");
			}, new FloatType());
		final PoseSearch search = PoseSearch.of(PoseImages.template(PoseImages.object(1, 8), 17, 17)).angles(0, 45).maps(true).threads(1);
		final String message = assertThrows(IllegalArgumentException.class, () -> search.find(unread)).getMessage();
		assertTrue(message.startsWith("the maps of 1000000 frames take 32000.0 GB, and the Java heap has "), message);
		final Throwable read = assertThrows(Throwable.class, () -> search.maps(false).find(unread));
		assertTrue(read.getMessage().contains("a pixel was read"), read.toString());
	}
}
