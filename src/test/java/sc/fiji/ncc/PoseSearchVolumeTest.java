package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.pose.PoseGrid;
import sc.fiji.ncc.pose.PoseSupport;
import sc.fiji.ncc.result.BestPoses;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;

/** Rotations of balls in volumes. */
class PoseSearchVolumeTest {

	private static double[][] blobs(final long seed, final double radius) {
		final SplittableRandom random = new SplittableRandom(seed);
		final double[][] blobs = new double[10][5];
		for (final double[] b : blobs) {
			for (int d = 0; d < 3; d++) b[d] = (2 * random.nextDouble() - 1) * radius * 0.7;
			b[3] = 1.2 + 0.2 * radius * random.nextDouble();
			b[4] = random.nextDouble() * 2 - 1;
		}
		return blobs;
	}

	private static double at(final double[][] blobs, final double... p) {
		double v = 0;
		for (final double[] b : blobs)
			v += b[4] * Math.exp(-0.5 * (Math.pow(p[0] - b[0], 2) + Math.pow(p[1] - b[1], 2) + Math.pow(p[2] - b[2], 2)) / (b[3] * b[3]));
		return v;
	}

	private static ArrayImg<FloatType, ?> volume(final double[][] blobs, final int n, final double[] centre, final Pose pose, final double noise, final long seed) {
		final SplittableRandom random = new SplittableRandom(seed);
		final float[] v = new float[n * n * n];
		final double[][] m = pose.toTemplate();
		for (int i = 0; i < v.length; i++) {
			final double[] u = { i % n - centre[0], i / n % n - centre[1], i / n / n - centre[2] }, t = new double[3];
			for (int r = 0; r < 3; r++)
				for (int c = 0; c < 3; c++) t[r] += m[r][c] * u[c];
			v[i] = (float) (at(blobs, t) + noise * random.nextGaussian());
		}
		return ArrayImgs.floats(v, n, n, n);
	}

	private static final Pose IDENTITY = Pose.of(new double[] { 1, 0, 0, 0 }, 1, false);

	@Test
	void basisAndBankAgree() {
		agree("cpu", "cpu-bounded");
	}

	@Test
	@Tag("gpu")
	@Tag("smoke")
	void basisOnAGpuAndBankAgree() {
		RequiredGpu.require();
		agree("cuda", "cuda-bounded");
	}

	@Test
	@Tag("gpu")
	void everyPoseOnAGpuAndBankAgree() {
		RequiredGpu.require();
		agree("cuda", "cuda-poses");
	}

	/** The best score and pose of each position, beside those of the CPU, in volumes with missing pixels, a flat part and an offset. */
	@Test
	@Tag("gpu")
	void theBestPoseOfEachVoxelOnAGpu() {
		RequiredGpu.require();
		final double[][] body = blobs(3, 4);
		final List<double[]> rotations = PoseGrid.uniformRotations(50);
		final PoseSearch search = PoseSearch.of(volume(body, 9, new double[] { 4, 4, 4 }, IDENTITY, 0, 0)).rotations(rotations).refine(false).minScore(0.2);
		for (int kind = 0; kind < 3; kind++) {
			final ArrayImg<FloatType, ?> image = volume(body, 24, new double[] { 11, 12, 10 }, Pose.of(rotations.get(5), 1, false), 0.05, kind);
			final int offset = kind == 2 ? 1000 : 0;
			image.forEach(p -> p.set(p.get() + offset));
			if (kind == 1) for (int i = 0; i < 24 * 24 * 24; i++) {
				if (i % 24 < 11 && i / 24 % 24 < 11 && i / 576 < 11) image.getAt(i % 24, i / 24 % 24, i / 576).set(3);
				if (i == 13_000) image.getAt(i % 24, i / 24 % 24, i / 576).set(Float.NaN);
			}
			final BestPoses gpu = search.backend("cuda").algorithm("cuda-poses").bestPoses(image), cpu = search.backend("cpu").algorithm("cpu-every-pose")
				.bestPoses(image);
			final int[] defined = new int[1];
			LoopBuilder.setImages(gpu.score(), cpu.score(), gpu.pose(), cpu.pose()).forEachPixel((a, b, p, q) -> {
				assertEquals(b.get(), a.get(), 2.1e-5);
				assertEquals(q.get(), p.get());
				if (q.get() > 0) defined[0]++;
			});
			assertTrue(defined[0] > 20, "positions: " + defined[0]);
		}
	}

	private static void agree(final String backend, final String algorithm) {
		int found = 0;
		for (long seed = 1; seed <= Integer.getInteger("ncc.poses.volumes", 4); seed++) {
			final double[][] body = blobs(seed, 4);
			final List<double[]> rotations = PoseGrid.uniformRotations(50);
			final Pose pose = Pose.of(rotations.get((int) (7 * seed % rotations.size())), 1, seed % 2 == 0);
			final ArrayImg<FloatType, ?> image = volume(body, 24, new double[] { 11, 12, 10 }, pose, 0.05, seed);
			final PoseSearch search = PoseSearch.of(volume(body, 9, new double[] { 4, 4, 4 }, IDENTITY, 0, 0)).rotations(rotations).mirrored(true).refine(false)
				.minScore(0.3 + 0.1 * (seed % 6));
			final List<PoseMatch> basis = search.backend(backend).algorithm(algorithm).find(image).matches();
			final List<PoseMatch> all = search.backend("cpu").algorithm("cpu-every-pose").find(image).matches();
			assertEquals(all.size(), basis.size());
			for (int i = 0; i < all.size(); i++) {
				assertEquals(all.get(i).gridPose().toString(), basis.get(i).gridPose().toString());
				assertArrayEquals(all.get(i).position(), basis.get(i).position());
				assertEquals(all.get(i).score(), basis.get(i).score(), 1e-12);
			}
			found += all.size();
			assertArrayEquals(new long[] { 7, 8, 6 }, all.get(0).position());
			assertArrayEquals(pose.rotation(), all.get(0).gridPose().rotation(), 1e-12);
			assertEquals(pose.mirrored(), all.get(0).pose().mirrored());
		}
		assertTrue(found > 4, "found: " + found);
	}

	/** A box of noise with different sides, turned by a quarter. Its pixels are those of the template, so the score is that of the definition. */
	@Test
	void wholeTemplatesAndMasksTurnInVolumes() {
		wholeTemplatesTurn("cpu-every-pose");
	}

	@Test
	@Tag("gpu")
	void wholeTemplatesAndMasksTurnOnAGpu() {
		RequiredGpu.require();
		wholeTemplatesTurn("cuda-poses");
		wholeTemplatesTurn("cuda-every-pose");
	}

	private static void wholeTemplatesTurn(final String algorithm) {
		final int[] centre = { 13, 9, 12 };
		final int n = 24;
		final SplittableRandom random = new SplittableRandom(8);
		final float[] part = new float[11 * 7 * 5], inside = new float[part.length], image = new float[n * n * n];
		for (int i = 0; i < image.length; i++) image[i] = (float) random.nextGaussian();
		for (int i = 0; i < part.length; i++) {
			part[i] = (float) random.nextGaussian();
			final int x = i % 11 - 5, y = i / 11 % 7 - 3, z = i / 77 - 2;
			inside[i] = x * x / 25.0 + y * y / 9.0 + z * z / 4.0 <= 1 ? 1 : 0;
			// what lies outside the mask differs from the template
			final int at = ((centre[2] + z) * n + centre[1] + x) * n + centre[0] - y;
			image[at] = inside[i] == 1 ? 2 * part[i] + 0.3f * image[at] : image[at];
		}
		for (final boolean masked : new boolean[] { true, false }) {
			final PoseSearch search = PoseSearch.of(ArrayImgs.floats(part, 11, 7, 5)).support(PoseSupport.WHOLE).minScore(0.4).refine(false).algorithm(algorithm)
				.rotations(List.of(IDENTITY.rotation(), PoseGrid.euler(0, 35, 10), PoseGrid.euler(90, 0, 0)));
			final List<PoseMatch> found = (masked ? search.masks(List.of(ArrayImgs.floats(inside, 11, 7, 5))) : search).find(ArrayImgs.floats(image, n, n, n)).matches();
			double a = 0, b = 0, aa = 0, ab = 0, bb = 0, count = 0;
			for (int i = 0; i < part.length; i++) {
				if (masked && inside[i] == 0) continue;
				final double v = image[((centre[2] + i / 77 - 2) * n + centre[1] + i % 11 - 5) * n + centre[0] - i / 11 % 7 + 3];
				count++;
				a += part[i];
				b += v;
				aa += part[i] * part[i];
				ab += part[i] * v;
				bb += v * v;
			}
			assertEquals(1, found.size(), found.toString());
			assertArrayEquals(new long[] { centre[0] - 5, centre[1] - 3, centre[2] - 2 }, found.get(0).position());
			assertArrayEquals(PoseGrid.euler(90, 0, 0), found.get(0).gridPose().rotation(), 1e-12);
			assertEquals((ab - a * b / count) / Math.sqrt((aa - a * a / count) * (bb - b * b / count)), found.get(0).score(), 1e-6);
		}
	}

	@Test
	void aRotationBetweenTheSearchedOnesIsRefined() {
		final double[][] body = blobs(3, 8);
		final Pose pose = Pose.of(PoseGrid.euler(10, 24, -17), 1.04, false);
		final ArrayImg<FloatType, ?> image = volume(body, 28, new double[] { 13.2, 14.1, 12.7 }, pose, 0.001, 1);
		final PoseMatch m = PoseSearch.of(volume(body, 15, new double[] { 7, 7, 7 }, IDENTITY, 0, 0)).scales(1, 1.1)
			.rotations(List.of(PoseGrid.euler(0, 20, 0), PoseGrid.euler(0, 0, 25), PoseGrid.euler(60, 20, 0))).minScore(0.5).backend("cpu").find(image).matches().get(0);
		assertEquals(13.2, m.subpixel()[0] + 7, 0.03);
		assertEquals(14.1, m.subpixel()[1] + 7, 0.03);
		assertEquals(12.7, m.subpixel()[2] + 7, 0.03);
		double cos = 0;
		for (int i = 0; i < 4; i++) cos += m.pose().rotation()[i] * pose.rotation()[i];
		assertEquals(0, Math.toDegrees(2 * Math.acos(Math.min(1, Math.abs(cos)))), 0.3);
		assertEquals(1.04, m.pose().scale(), 0.003);
		assertTrue(m.score() > 0.995, m.toString());
	}

	@Test
	void refinementOfNoiseKeepsTheMinimumScore() {
		final ArrayImg<FloatType, ?> image = volume(new double[0][], 24, new double[3], IDENTITY, 1, 5), template = volume(new double[0][], 7, new double[3], IDENTITY, 1, 6);
		final List<PoseMatch> found = PoseSearch.of(template).rotations(PoseGrid.uniformRotations(50)).minScore(0.25).threads(2).backend("cpu").find(image).matches();
		assertTrue(found.size() > 50, found.size() + " matches");
		for (final PoseMatch m : found) assertTrue(m.score() >= m.gridScore() && m.gridScore() >= 0.25, m.score() + " after refinement, " + m.gridScore() + " before: " + m);
		assertTrue(found.stream().anyMatch(m -> m.score() > m.gridScore() + 0.01));
	}

	/** Any rotation is at most about a step from one of the grid. */
	@Test
	void theUniformGridHasNoHoles() {
		final List<double[]> grid = PoseGrid.uniformRotations(20);
		final SplittableRandom random = new SplittableRandom(4);
		double worst = 0;
		for (int i = 0; i < 300; i++) {
			final double[] q = new double[4];
			for (int d = 0; d < 4; d++) q[d] = random.nextGaussian();
			final double length = Math.sqrt(Arrays.stream(q).map(x -> x * x).sum());
			double nearest = 0;
			for (final double[] g : grid) nearest = Math.max(nearest, Math.abs(g[0] * q[0] + g[1] * q[1] + g[2] * q[2] + g[3] * q[3]) / length);
			worst = Math.max(worst, Math.toDegrees(2 * Math.acos(Math.min(1, nearest))));
		}
		assertTrue(worst < 22, "the largest distance: " + worst);
		for (final double[] g : grid) assertEquals(1, Arrays.stream(g).map(x -> x * x).sum(), 1e-12);
	}

	@Test
	void eulerAnglesTurnAboutFixedAxes() {
		// a quarter turn about z takes x to y
		final double[][] r = Pose.of(PoseGrid.euler(90, 0, 0), 1, false).toImage();
		assertEquals(1, r[1][0], 1e-12);
		assertEquals(-1, r[0][1], 1e-12);
	}

	@Test
	void supportsThatDoNotFitAreRefused() {
		final ArrayImg<FloatType, ?> t = volume(blobs(1, 4), 9, new double[] { 4, 4, 4 }, IDENTITY, 0, 0), image = volume(blobs(1, 4), 20, new double[] { 9, 9, 9 }, IDENTITY, 0, 0);
		assertTrue(assertThrows(IllegalArgumentException.class, () -> PoseSearch.of(t).find(image)).getMessage().contains("quaternions"));
		assertTrue(assertThrows(IllegalArgumentException.class, () -> PoseSearch.of(t).rotations(List.of(new double[4])).find(image)).getMessage().contains("no rotation"));
	}
}
