package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.Registration;
import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.result.FrameShift.State;

/** Volumes that are measured by their projections: the mean along z has x and y, the mean along y has z. */
class DriftProjectionsTest {

	private static final int W = 44, H = 40, D = 36, T = 6;
	/** The mean along z and the mean along y have content of their own, so that a volume can have any pair of them. */
	private static final MovingTexture FLAT = new MovingTexture(2, 3), DEEP = new MovingTexture(2, 9);
	private static final double[] MOTION = { 0.7, -0.4, 1 };

	/** A frame of which both means move by {@code t} times the motion. */
	private static double[] frame(final int t) {
		final double[] frame = new double[W * H * D];
		for (int i = 0; i < frame.length; i++) {
			final int x = i % W, y = i / W % H, z = i / W / H;
			frame[i] = 500 + 40 * FLAT.at(x - MOTION[0] * t, y - MOTION[1] * t) + 40 * DEEP.at(x - MOTION[0] * t, z - MOTION[2] * t);
		}
		return frame;
	}

	private static List<double[]> frames() {
		final List<double[]> frames = new ArrayList<>();
		for (int t = 0; t < T; t++) frames.add(frame(t));
		return frames;
	}

	private static List<FrameShift> measured(final DriftCorrection correction, final List<double[]> frames) {
		return correction.measure(frames.stream().<RandomAccessibleInterval<?>>map(f -> ArrayImgs.doubles(f, W, H, D)).toList()).frames();
	}

	private static DriftCorrection projections() {
		return DriftCorrection.ofFrames(3).projections(true).reference(DriftReference.FIRST);
	}

	/** The limit along z holds for the second projection, those along x and y for the first, and a shift at a limit is marked. */
	@Test
	void eachAxisHasItsMaximumShift() {
		for (final long[] most : new long[][] { { 6, 6, 6 }, { 6, 6, 2 }, { 6, 1, 6 }, { 2, 6, 6 }, { 5, 4, 5 } }) {
			final List<FrameShift> found = measured(projections().moveDoubtful(true).maxShift(most), frames());
			for (int t = 0; t < T; t++) {
				boolean beyond = false;
				for (int d = 0; d < 3; d++) beyond |= Math.rint(Math.abs(MOTION[d] * t)) >= most[d];
				if (t > 0) assertEquals(beyond, found.get(t).edge(), List.of(most[0], most[1], most[2]) + ", frame " + t);
				for (int d = 0; d < 3; d++) {
					final double shift = found.get(t).shift()[d];
					assertTrue(Math.abs(shift) <= most[d], shift + " of at most " + most[d]);
					if (!beyond) assertEquals(MOTION[d] * t, shift, 0.1);
				}
				// the first projection does not depend on z
				if (most[2] == 2) for (int d = 0; d < 2; d++) assertEquals(MOTION[d] * t, found.get(t).shift()[d], 0.1);
				if (most[1] == 1) assertEquals(MOTION[2] * t, found.get(t).shift()[2], 0.1);
			}
		}
	}

	/** The state is the worse one of both projections, and the score is the smaller one. */
	@Test
	void aFrameThatOneProjectionLosesIsLost() {
		for (final boolean alongZ : new boolean[] { false, true })
			for (final State state : new State[] { State.FLAT, State.LOST }) {
				final List<double[]> frames = frames();
				frames.set(3, withoutOne(3, alongZ, state == State.FLAT ? 0 : 100));
				final List<FrameShift> found = measured(projections().maxShift(8, 8, 8), frames);
				for (int t = 0; t < T; t++) {
					assertEquals(t == 3 ? state : State.OK, found.get(t).state(), (alongZ ? "along z" : "along y") + ", frame " + t);
					assertArrayEquals(new double[] { MOTION[0] * t, MOTION[1] * t, MOTION[2] * t }, found.get(t).shift(), t == 3 ? 0.3 : 0.1);
				}
			}
	}

	/** Frame 0 is lost or flat along one axis, so that both projections are relative to frame 1. */
	@Test
	void bothProjectionsHaveOneOrigin() {
		for (final DriftReference reference : List.of(DriftReference.PREVIOUS, DriftReference.FIRST))
			for (final boolean alongZ : new boolean[] { false, true }) {
				final boolean flat = reference == DriftReference.FIRST;
				final List<double[]> frames = frames();
				frames.set(0, withoutOne(0, alongZ, flat ? 0 : 100));
				final List<FrameShift> found = measured(projections().reference(reference).moveDoubtful(true).maxShift(8, 8, 8), frames);
				assertEquals(flat ? State.FLAT : State.LOST, found.get(0).state());
				for (int t = 1; t < T; t++)
					for (int d = 0; d < 3; d++)
						assertEquals(MOTION[d] * (t - 1), found.get(t).shift()[d], 0.15, reference + ", frame " + t + ", axis " + d);
				for (final double[] row : found.get(1).covariance()) assertArrayEquals(new double[3], row, 1e-12, "the origin is exact");
			}
	}

	/** A frame with the content of one mean. The other mean is noise, or flat: the sums along its axis are equal whole numbers. */
	private static double[] withoutOne(final int t, final boolean alongZ, final double noise) {
		final int depth = alongZ ? D : H, other = alongZ ? H : D;
		final double[] content = new double[W * depth], sums = new double[W], left = new double[W * other], frame = new double[W * H * D];
		for (int i = 0; i < content.length; i++) {
			final double x = i % W - t * MOTION[0];
			content[i] = Math.rint(40 * (alongZ ? DEEP.at(x, i / W - t * MOTION[2]) : FLAT.at(x, i / W - t * MOTION[1])));
			sums[i % W] += content[i];
		}
		final Random random = new Random(5);
		for (int i = 0; i < left.length; i++) left[i] = Math.rint(noise * random.nextGaussian());
		for (int i = 0; i < frame.length; i++) {
			final int x = i % W, y = i / W % H, z = i / W / H;
			frame[i] = depth * content[(alongZ ? z : y) * W + x] - sums[x] + left[(alongZ ? y : z) * W + x];
		}
		return frame;
	}

	/** At whole pixels without a shift, the score is the smaller coefficient of the means, which the test adds up. */
	@Test
	void theScoreIsTheSmallerOneOfBothProjections() {
		for (final boolean noisyDepth : new boolean[] { false, true }) {
			final List<double[]> frames = frames().subList(0, 2);
			final Random random = new Random(8);
			for (final double[] f : frames) {
				final double[] noise = random.doubles((long) W * (noisyDepth ? D : H), -90, 90).toArray();
				for (int i = 0; i < f.length; i++) f[i] += noise[(noisyDepth ? i / W / H : i / W % H) * W + i % W];
			}
			final double[][] flat = new double[2][W * H], deep = new double[2][W * D];
			for (int t = 0; t < 2; t++) for (int i = 0; i < W * H * D; i++) {
				flat[t][i % (W * H)] += frames.get(t)[i];
				deep[t][i / W / H * W + i % W] += frames.get(t)[i];
			}
			final double xy = coefficient(flat[0], flat[1]), xz = coefficient(deep[0], deep[1]);
			assertEquals(noisyDepth, xz < xy);
			final FrameShift still = measured(projections().subpixel(false).maxShift(0, 0, 0), frames).get(1);
			assertEquals(Math.min(xy, xz), still.score(), 1e-6);
			assertArrayEquals(new double[3], still.shift());
		}
	}

	private static double coefficient(final double[] a, final double[] b) {
		double sa = 0, sb = 0, aa = 0, bb = 0, ab = 0;
		for (int i = 0; i < a.length; i++) {
			sa += a[i];
			sb += b[i];
		}
		for (int i = 0; i < a.length; i++) {
			final double p = a[i] - sa / a.length, q = b[i] - sb / a.length;
			aa += p * p;
			bb += q * q;
			ab += p * q;
		}
		return ab / Math.sqrt(aa * bb);
	}

	/** The second projection has x and z: its frames are measured against the frames before with their shifts along x and z. */
	@Test
	void aStreamOfVolumes() {
		final List<FrameShift> found = new ArrayList<>();
		projections().reference(DriftReference.MULTI).maxShift(6, 6, 6).threads(1).measureEach(frames().stream()
			.<RandomAccessibleInterval<?>>map(f -> ArrayImgs.doubles(f, W, H, D)).toList(), (i, f) -> found.add(f.shift()));
		for (int t = 0; t < T; t++) {
			assertArrayEquals(new double[] { MOTION[0] * t, MOTION[1] * t, MOTION[2] * t }, found.get(t).shift(), 0.1);
			assertFalse(found.get(t).edge());
		}
	}

	/** The standard deviations along x and y are those of the means along z, and that along z is that of the means along y. */
	@Test
	void theCovarianceIsThatOfTheProjections() {
		final List<double[]> frames = frames().subList(0, 2);
		final Random random = new Random(6);
		for (final double[] f : frames) for (int i = 0; i < f.length; i++) f[i] += 60 * random.nextGaussian();
		final double[][] found = measured(projections(), frames).get(1).covariance();
		final List<Projections> means = frames.stream().map(f -> Projections.of(ArrayImgs.doubles(f, W, H, D))).toList();
		final double[][] flat = Registration.of(means.get(0).alongZ()).register(means.get(1).alongZ()).covariance(),
			deep = Registration.of(means.get(0).alongY()).register(means.get(1).alongY()).covariance();
		assertTrue(Math.abs(deep[0][0] / deep[1][1] - 1) > 0.1 && Math.abs(flat[0][0] / flat[1][1] - 1) > 0.1, "the errors along both axes differ");
		for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) {
			final double expected = i < 2 && j < 2 ? flat[i][j] : i == j ? deep[1][1] : 0;
			assertEquals(expected, found[i][j], 0.03 * (i < 2 ? flat[0][0] : deep[1][1]), i + "," + j);
		}
	}
}
