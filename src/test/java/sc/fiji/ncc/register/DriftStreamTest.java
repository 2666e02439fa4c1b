package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.Registration;
import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.result.FrameShift.State;

/** The drift of a stream: its errors, and frames that are lost. */
class DriftStreamTest {

	private static final int W = 80, H = 72;
	private static final DriftTexture TEXTURE = new DriftTexture(120, 110, 1.5, 3);

	/** A frame that has moved by eighths of a pixel. */
	private static short[] frame(final int dx, final int dy, final double photons, final long seed) {
		return DriftTexture.photons(TEXTURE.frame(160 - dx, 150 - dy, W, H), photons, 0.3, new Random(seed));
	}

	private static RandomAccessibleInterval<?> image(final short[] frame) {
		return ArrayImgs.unsignedShorts(frame, W, H);
	}

	private static List<FrameShift> streamed(final DriftCorrection correction, final List<RandomAccessibleInterval<?>> frames) {
		final List<FrameShift> found = new ArrayList<>();
		correction.measureEach(frames, (i, f) -> found.add(f.shift()));
		return found;
	}

	/** The covariance of a frame is the sum of those of the pairs up to it. */
	@Test
	void withTheReferencePreviousTheCovarianceAccumulates() {
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (int t = 0; t < 11; t++) frames.add(image(frame(3 * t, -2 * t, 200 / (1 + t), t)));
		final List<FrameShift> found = streamed(DriftCorrection.ofFrames(2).reference(DriftReference.PREVIOUS).threads(2).backend("cpu"), frames);
		final double[][] sum = new double[2][2];
		for (int t = 0; t < frames.size(); t++) {
			if (t > 0) {
				final double[][] pair = Registration.of(frames.get(t - 1)).backend("cpu").register(frames.get(t)).covariance();
				for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) sum[i][j] += pair[i][j];
			}
			for (int i = 0; i < 2; i++) assertArrayEquals(sum[i], found.get(t).covariance()[i], 0.02 * (sum[0][0] + sum[1][1]), "frame " + t);
		}
	}

	/** A lost frame gets the shift of its neighbours, of which a stream has the one before. The frames around it are measured, and not doubtful. */
	private static void assertLost(final DriftReference reference, final DriftCorrection correction, final List<RandomAccessibleInterval<?>> frames,
		final int lost, final double[] motion)
	{
		final List<FrameShift> stack = correction.measure(frames).frames();
		for (final List<FrameShift> found : List.of(stack, streamed(correction, frames)))
			for (int t = 0; t < frames.size(); t++) {
				final String what = reference + (found == stack ? ", stack" : ", stream") + ", frame " + t + " where " + lost + " is lost";
				assertEquals(t == lost ? State.LOST : State.OK, found.get(t).state(), what);
				assertEquals(t == lost, found.get(t).covariance() == null, what);
				final double at = t != lost || found == stack ? t : lost - 1;
				assertArrayEquals(new double[] { motion[0] * at, motion[1] * at }, found.get(t).shift(), 0.1, what);
			}
	}

	@Test
	void aFrameOfNoiseIsLostAndTheFramesAroundItAreFound() {
		for (final String reference : new String[] { "first", "previous", "multi" })
			for (final int lost : new int[] { 9, 10 }) {
				final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
				for (int t = 0; t < 16; t++) frames.add(image(frame(5 * t, -4 * t, 500, t)));
				final short[] noise = new short[W * H];
				final Random random = new Random(1);
				for (int i = 0; i < noise.length; i++) noise[i] = (short) random.nextInt(900);
				frames.set(lost, image(noise));
				final DriftReference to = DriftReference.of(reference);
				assertLost(to, DriftCorrection.ofFrames(2).reference(to).threads(1).backend("cpu"), frames, lost, new double[] { 5 / 8.0, -4 / 8.0 });
			}
	}

	/** The pixels of a frame that count do not overlap with those of other frames, so there is no coefficient. */
	@Test
	void aFrameWithoutAnyCoefficientIsLostAndTheFramesAroundItAreFound() {
		for (final String reference : new String[] { "first", "previous", "multi" })
			for (final int lost : new int[] { 9, 10 }) {
				final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
				for (int t = 0; t < 16; t++) {
					final float[] pixels = TEXTURE.frame(160 - 4 * t, 150 + 3 * t, W, H);
					for (int y = 0; y < H; y++) Arrays.fill(pixels, y * W + (t == lost ? 0 : 64), y * W + (t == lost ? 64 : W), Float.NaN);
					frames.add(ArrayImgs.floats(pixels, W, H));
				}
				final DriftReference to = DriftReference.of(reference);
				final DriftCorrection correction = DriftCorrection.ofFrames(2).reference(to).maxShift(9, 9).minOverlap(0.6).threads(1);
				assertLost(to, correction.backend("cpu"), frames, lost, new double[] { 4 / 8.0, -3 / 8.0 });
			}
	}

	/** A frame of a stream keeps its size: the borders crop and union show black pixels outside. */
	@Test
	void framesOfAStreamKeepTheirSize() {
		final FrameShift shift = new FrameShift(0, new double[] { 2, 0 }, 1, 1, 0, Double.NaN, false, State.OK);
		final RandomAccessibleInterval<?> frame = ArrayImgs.floats(new float[] { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, 5, 2);
		for (final Outside outside : List.of(Outside.CROP, Outside.of("union:7"), Outside.BLACK)) {
			final Img<?> corrected = new DriftCorrection.ShiftedFrame(frame, shift).corrected(Interpolation.INTEGER, outside);
			final double[] values = new double[10];
			for (int i = 0; i < 10; i++) values[i] = ((RealType<?>) corrected.getAt(i % 5, i / 5)).getRealDouble();
			assertArrayEquals(new double[] { 3, 4, 5, 0, 0, 8, 9, 10, 0, 0 }, values, outside.toString());
		}
	}
}
