package sc.fiji.ncc.motion;

import java.util.function.UnaryOperator;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.util.ImgUtil;
import net.imglib2.view.Views;

/**
 * A sample stack with a known motion: two frames of {@value #SIZE}x{@value #SIZE} pixels with 8 bits, of particles in a vortex of Rankine.
 * Its core has a radius of {@value #CORE} pixels, and the largest motion is {@value #SPEED} pixels. Each call makes the same stack.
 */
public final class VortexSample {

	public static final int SIZE = 256;
	public static final double CORE = 60, SPEED = 5;

	private VortexSample() {}

	/** The true motion in pixels at a position in pixels. */
	public static UnaryOperator<double[]> motion() {
		return ParticlePair.vortex(new double[] { (SIZE - 1) / 2.0, (SIZE - 1) / 2.0 }, CORE, SPEED);
	}

	/** The stack: x, y and two frames. */
	public static ArrayImg<UnsignedByteType, ?> stack() {
		final RandomAccessibleInterval<?>[] pair = ParticlePair.of(SIZE, SIZE).images(motion());
		final ArrayImg<UnsignedByteType, ?> stack = ArrayImgs.unsignedBytes(SIZE, SIZE, 2);
		for (int t = 0; t < 2; t++) {
			@SuppressWarnings("unchecked") // the pair has 8 bits
			final RandomAccessibleInterval<UnsignedByteType> frame = (RandomAccessibleInterval<UnsignedByteType>) pair[t];
			ImgUtil.copy(frame, Views.hyperSlice(stack, 2, t));
		}
		return stack;
	}
}
