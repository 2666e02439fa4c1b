package sc.fiji.ncc.cuda.shifts;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.cuda.run.Submission;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** Which pixels a submission of few lags reads: those of images of one, two and three dimensions. */
class FrameSubmissionTest {

	private static final int WIDTH = 7, HEIGHT = 5;

	/** Pixels that tell where they lie. */
	private static final class Numbered implements Pixels {

		private final long[] size;

		Numbered(final long[] size) {
			this.size = size;
		}

		@Override
		public PixelType type() {
			return PixelType.F32;
		}

		@Override
		public long[] size() {
			return size.clone();
		}

		@Override
		public void read(final long[] min, final int[] extents, final Buffer to) {
			assertEquals(size.length, min.length);
			assertEquals(size.length, extents.length);
			final FloatBuffer floats = (FloatBuffer) to;
			int n = 1;
			for (final int e : extents) n *= e;
			for (int i = 0, at = floats.position(); i < n; i++) {
				long where = 0, stride = 1;
				for (int d = 0, rest = i; d < extents.length; rest /= extents[d], d++) {
					where += (min[d] + rest % extents[d]) * stride;
					stride *= size[d];
				}
				floats.put(at + i, where);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3 })
	void readsTheWindowsOfEveryTemplate(final int dimensions) {
		final long[] image = java.util.Arrays.copyOf(new long[] { WIDTH, dimensions > 1 ? HEIGHT : 1, 1 }, dimensions);
		final int[] lags = java.util.Arrays.copyOf(new int[] { 3, dimensions > 1 ? 2 : 1, 1 }, dimensions);
		final long[] size = java.util.Arrays.copyOf(new long[] { 2, dimensions > 1 ? 3 : 1, 1 }, dimensions);
		final long[] origin = java.util.Arrays.copyOf(new long[] { 2, dimensions > 1 ? 1 : 0, 0 }, dimensions);
		final int pixels = (int) Size.of(size).pixels();
		final double[] values = new double[pixels];
		values[0] = 1;
		final List<Template> templates = List.of(new Template(Size.of(size), PixelType.F32, values, null));
		final FrameSubmission frame = new FrameSubmission(new Submission(new Numbered(image), new LagBox(new long[][] { origin }, lags), null, null), templates);
		final ByteBuffer to = ByteBuffer.allocate((int) frame.bytes());
		frame.read(PixelType.F32::allocate, to, 0);
		final int width = (int) size[0] + lags[0] - 1, height = dimensions > 1 ? (int) size[1] + lags[1] - 1 : 1;
		final float[] expected = new float[width * height], read = new float[width * height];
		for (int i = 0; i < expected.length; i++)
			expected[i] = origin[0] + i % width + (dimensions > 1 ? (origin[1] + i / width) * WIDTH : 0);
		to.asFloatBuffer().get(read);
		assertArrayEquals(expected, read);
		assertEquals(width, frame.pitch[0]);
		assertEquals(0, frame.first[0]);
	}
}
