package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.Registration;
import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.result.Frames;

/**
 * Joint channels of very different brightness: a bright one of noise, and a dim one that has content and bleaches. Each is divided by its standard deviation
 * in the first frame.
 */
class DriftChannelsTest {

	private static final int W = 72, H = 64, T = 6;
	private static final DriftTexture TEXTURE = new DriftTexture(110, 100, 1.5, 6);

	private static double[] bright(final int t) {
		final Random random = new Random(t);
		return random.doubles(W * H).map(v -> 40_000 + 10_000 * v).toArray();
	}

	private static double[] dim(final int t) {
		final float[] texture = TEXTURE.frame(160 - 8 * t, 150 + 4 * t, W, H);
		final double[] dim = new double[W * H];
		for (int i = 0; i < dim.length; i++) dim[i] = 2 + (1 - 0.1 * t) * texture[i];
		return dim;
	}

	private static double deviation(final double[] values) {
		double sum = 0, square = 0;
		for (final double v : values) sum += v;
		for (final double v : values) square += (v - sum / values.length) * (v - sum / values.length);
		return Math.sqrt(square / values.length);
	}

	/** The channels divided by the standard deviations of their first frames, and added. */
	private static double[] sum(final int t) {
		final double[] sum = new double[W * H], a = bright(t), b = dim(t);
		final double p = deviation(bright(0)), q = deviation(dim(0));
		for (int i = 0; i < sum.length; i++) sum[i] = a[i] / p + b[i] / q;
		return sum;
	}

	private static double coefficient(final double[] a, final double[] b) {
		double ma = 0, mb = 0, ab = 0;
		for (int i = 0; i < a.length; i++) {
			ma += a[i] / a.length;
			mb += b[i] / a.length;
		}
		for (int i = 0; i < a.length; i++) ab += (a[i] - ma) * (b[i] - mb) / a.length;
		return ab / deviation(a) / deviation(b);
	}

	/** The dimensions x, y, channel, time. */
	private static RandomAccessibleInterval<?> stack() {
		final double[] all = new double[2 * W * H * T];
		for (int t = 0; t < T; t++) {
			System.arraycopy(bright(t), 0, all, 2 * t * W * H, W * H);
			System.arraycopy(dim(t), 0, all, (2 * t + 1) * W * H, W * H);
		}
		return ArrayImgs.doubles(all, W, H, 2, T);
	}

	@Test
	void aDimChannelWeighsAsMuchAsABrightOne() {
		final DriftCorrection correction = DriftCorrection.ofFrames(2).reference(DriftReference.FIRST);
		final RandomAccessibleInterval<?> joint = JointImage.of(stack(), 2);
		final List<FrameShift> stream = new ArrayList<>();
		correction.measureEach(Frames.of(joint, 2), (i, f) -> stream.add(f.shift()));
		final List<FrameShift> whole = correction.measure(joint).frames(), view = correction.measure(JointChannels.of(stack(), 2, List.of(), 2)).frames();
		for (final List<FrameShift> found : List.of(stream, whole, view))
			for (int t = 0; t < T; t++) assertArrayEquals(new double[] { t, -t / 2.0 }, found.get(t).shift(), 0.2, "frame " + t);
		assertTrue(correction.measure(JointChannels.of(stack(), 2, List.of(0L), 2)).doubtful() > 2, "the bright channel alone");
		assertArrayEquals(new double[] { 2, -1 }, Registration.of(Frames.of(joint, 2).get(0)).register(Frames.of(joint, 2).get(2)).shift(), 0.2);
	}

	/** The weights are those of the first frame for all frames: at no shift, the score is the coefficient of the sums. */
	@Test
	void theWeightsAreThoseOfTheFirstFrame() {
		final DriftCorrection still = DriftCorrection.ofFrames(2).reference(DriftReference.FIRST).maxShift(0, 0);
		final List<FrameShift> stream = new ArrayList<>();
		still.measureEach(Frames.of(JointImage.of(stack(), 2), 2), (i, f) -> stream.add(f.shift()));
		final List<FrameShift> joint = still.measure(JointImage.of(stack(), 2)).frames();
		final List<FrameShift> view = still.measure(JointChannels.of(stack(), 2, List.of(), 2)).frames();
		for (final List<FrameShift> found : List.of(stream, joint, view))
			for (int t = 1; t < T; t++) assertEquals(coefficient(sum(0), sum(t)), found.get(t).score(), 1e-5, "frame " + t);
	}
}
