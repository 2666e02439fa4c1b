package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;

import javax.imageio.ImageIO;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.pose.PoseGrid;
import sc.fiji.ncc.pose.PoseImages;
import sc.fiji.ncc.pose.PoseSupport;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.result.PosesFound;

/** The search by a basis finds what the correlation of every pose finds. {@code -Dncc.poses=2000} tries many problems, {@code -Dncc.poses.first} begins at a later one. */
class PoseEqualityTest {

	/** A problem is as large as this at most: pixels times poses. */
	private static final double MAX_WORK = 6e6;

	/** A random problem. Content: 0 objects in noise, 1 part of a photograph, 2 noise, 3 texture. */
	private static final class Problem {

		private final SplittableRandom random;
		private final int radius, content;
		private final double[] angles, scales;
		private final double minScore;
		private final boolean mirrored, ring;
		private RandomAccessibleInterval<? extends RealType<?>> image;
		private final List<RandomAccessibleInterval<?>> templates = new ArrayList<>();

		Problem(final long seed) {
			random = new SplittableRandom(seed);
			radius = (int) (5 * Math.pow(8, random.nextDouble()));
			content = random.nextInt(4);
			scales = random.nextInt(3) > 0 ? new double[] { 1 } : PoseGrid.scaleRange(0.8, 0.8 * Math.pow(1.06, random.nextInt(1, 9)) + 1e-9, 1.06);
			mirrored = random.nextInt(4) == 0;
			ring = random.nextInt(6) == 0;
			minScore = 0.3 + 0.65 * random.nextDouble();
			final int side = (int) (2 * radius * scales[scales.length - 1]) + random.nextInt(24, 60);
			final double most = MAX_WORK / ((double) side * side * scales.length * (mirrored ? 2 : 1));
			final int count = (int) Math.max(36, Math.min(most, 36 * Math.pow(20, random.nextDouble())));
			angles = random.nextInt(5) == 0 ? PoseGrid.angleRange(-40, 65, 105.0 / Math.min(count, 100)) : PoseGrid.angleRange(0, 360, 360.0 / count);
			if (content == 1) photograph(side, side + random.nextInt(20));
			else if (content == 0) objects(side, side + random.nextInt(20));
			else synthetic(side, side + random.nextInt(20));
		}

		private void photograph(final int w, final int h) {
			final BufferedImage coins;
			try {
				coins = ImageIO.read(PoseEqualityTest.class.getResource("samples/coins.png"));
			}
			catch (final IOException e) {
				throw new AssertionError(e);
			}
			final ArrayImg<?, ?> all = bytes((x, y) -> coins.getRaster().getSample(x, y, 0), coins.getWidth(), coins.getHeight());
			image = (RandomAccessibleInterval<? extends RealType<?>>) part((RandomAccessibleInterval<? extends RealType<?>>) all, w, h);
			// sometimes of another place, so that nothing fits exactly
			templates.add(part(random.nextBoolean() ? image : (RandomAccessibleInterval<? extends RealType<?>>) all, 2 * radius + 1, 2 * radius + random.nextInt(1, 3)));
		}

		private interface Value {

			int at(int x, int y);
		}

		private static ArrayImg<?, ?> bytes(final Value value, final int w, final int h) {
			final byte[] v = new byte[w * h];
			for (int i = 0; i < v.length; i++) v[i] = (byte) value.at(i % w, i / w);
			return ArrayImgs.unsignedBytes(v, w, h);
		}

		private RandomAccessibleInterval<? extends RealType<?>> part(final RandomAccessibleInterval<? extends RealType<?>> of, final int w, final int h) {
			final long width = Math.min(w, of.dimension(0)), height = Math.min(h, of.dimension(1));
			final long x = random.nextLong(of.dimension(0) - width + 1), y = random.nextLong(of.dimension(1) - height + 1);
			return Views.zeroMin(Views.interval(of, new FinalInterval(new long[] { x, y }, new long[] { x + width - 1, y + height - 1 })));
		}

		private void objects(final int w, final int h) {
			final ArrayImg<FloatType, ?> noise = PoseImages.noise(random.nextLong(), w, h, random.nextBoolean() ? 0.3 : 0.02);
			for (int t = 0; t < 1 + random.nextInt(2); t++) {
				final DoubleBinaryOperator object = PoseImages.object(random.nextLong(), radius);
				templates.add(PoseImages.template(object, 2 * radius + random.nextInt(3), 2 * radius + random.nextInt(3)));
				for (int i = 0; i < 4; i++)
					PoseImages.add(noise, object, random.nextDouble() * w, random.nextDouble() * h, 1.5 * radius,
						Pose.of(360 * random.nextDouble(), 0.8 + 0.5 * random.nextDouble(), random.nextInt(4) == 0));
			}
			image = random.nextBoolean() ? noise : shorts(noise);
		}

		private static RandomAccessibleInterval<? extends RealType<?>> shorts(final RandomAccessibleInterval<FloatType> from) {
			final var to = ArrayImgs.unsignedShorts(from.dimensionsAsLongArray());
			LoopBuilder.setImages(from, to).forEachPixel((f, b) -> b.setReal(Math.max(0, Math.min(65535, Math.rint(40000 + 60 * f.get())))));
			return to;
		}

		/** Noise, or noise after two running means. */
		private void synthetic(final int w, final int h) {
			final ArrayImg<FloatType, ?> noise = PoseImages.noise(random.nextLong(), w, h, 1);
			if (content == 3) for (int pass = 0; pass < 2; pass++) smooth(noise, 2 + random.nextInt(4));
			image = noise;
			templates.add(part(noise, 2 * radius + 1, 2 * radius + 1));
		}

		private static void smooth(final ArrayImg<FloatType, ?> noise, final int radius) {
			final var copy = noise.copy().randomAccess();
			final int w = (int) noise.dimension(0), h = (int) noise.dimension(1);
			final var to = noise.randomAccess();
			for (int y = 0; y < h; y++)
				for (int x = 0; x < w; x++) {
					double sum = 0;
					for (int k = -radius; k <= radius; k++) sum += copy.setPositionAndGet((x + k + w) % w, y).get() + copy.setPositionAndGet(x, (y + k + h) % h).get();
					to.setPositionAndGet(x, y).set((float) sum);
				}
		}

		PoseSearch search(final String backend) {
			final PoseSearch search = PoseSearch.of(templates).angles(angles).scales(scales).mirrored(mirrored).minScore(minScore).refine(false).threads(1).backend(backend);
			return ring ? search.support(PoseSupport.RING) : search;
		}

		@Override
		public String toString() {
			return "content " + content + ", radius " + radius + ", " + angles.length + " angles, " + scales.length + " scales, score " + minScore + ", mirrored " + mirrored + ", ring " + ring;
		}
	}

	private static List<String> places(final List<PoseMatch> matches) {
		final List<String> places = new ArrayList<>();
		for (final PoseMatch m : matches) places.add(m.template() + " " + Arrays.toString(m.position()) + " " + m.gridPose());
		return places;
	}

	@Test
	void basisAndBankAgreeOnRandomProblems() {
		agree(0, 8, "cpu");
	}

	@Test
	@Tag("large")
	void basisAndBankAgreeOnMoreRandomProblems() {
		agree(8, 16, "cpu");
	}

	/** The basis on a GPU and on the CPU, every pose on the CPU. */
	@Test
	@Tag("gpu")
	void basisOnAGpuAndBankAgreeOnRandomProblems() {
		RequiredGpu.require();
		agree(0, 24, "cuda", "cpu");
	}

	/**
	 * @param start the first problem, unless the property ncc.poses.first says another
	 * @param number of problems, unless the property ncc.poses says another
	 * @param backends those of the basis
	 */
	private static void agree(final int start, final int number, final String... backends) {
		final int first = Integer.getInteger("ncc.poses.first", start), problems = Integer.getInteger("ncc.poses", number);
		int matches = 0;
		for (int seed = first; seed < first + problems; seed++) {
			final Problem p = new Problem(seed);
			final List<PoseMatch> bank = p.search("cpu").algorithm("cpu-every-pose").find(p.image).matches();
			for (final String backend : backends) {
				final PosesFound found = p.search(backend).algorithm(backend + "-bounded").find(p.image);
				final List<PoseMatch> basis = found.matches();
				assertEquals(places(bank), places(basis), () -> "problem " + p + " on " + backend);
				for (int i = 0; i < bank.size(); i++) assertEquals(bank.get(i).score(), basis.get(i).score(), 1e-12, "problem " + p + " on " + backend);
			}
			matches += bank.size();
			// a long run says how far it came
			if (System.getProperty("ncc.poses") != null) System.out.println("problem " + seed + ": " + bank.size() + " matches, no difference");
		}
		assertTrue(matches > problems, "there was something to find: " + matches);
	}

	/** A window that equals a pose attains the bound, so a bound that is 1 % too small loses it. */
	@Test
	void aBoundThatIsOnePercentTooSmallIsNoticed() {
		noticed("cpu");
	}

	@Test
	@Tag("gpu")
	void aBoundThatIsOnePercentTooSmallIsNoticedOnAGpu() {
		RequiredGpu.require();
		noticed("cuda");
	}

	private static void noticed(final String backend) {
		final DoubleBinaryOperator object = PoseImages.object(5, 10);
		final RandomAccessibleInterval<FloatType> template = PoseImages.template(object, 21, 21);
		final ArrayImg<FloatType, ?> image = PoseImages.noise(3, 90, 80, 0.001);
		PoseImages.add(image, object, 40, 35, 15, Pose.of(0, 1, false));
		final PoseSearch search = PoseSearch.of(template).angleRange(0, 360, 10).minScore(0.9999).refine(false).algorithm(backend + "-bounded").backend(backend);
		final List<PoseMatch> found = search.find(image).matches();
		assertEquals(1, found.size());
		assertEquals(0, found.get(0).pose().angle());
		// the basis that this problem gets keeps enough outside itself for the test to mean something
		assertEquals(0, search.boundShare(0.99).find(image).matches().size());
	}
}
