package sc.fiji.ncc.stitch;

import java.nio.Buffer;
import java.util.List;
import java.util.function.UnaryOperator;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.register.JointChannels;

/**
 * What tiles with channels and frames are measured on, for {@link sc.fiji.ncc.Stitching#measuredOn}. The dimensions of a tile are the spatial ones,
 * then channels, then frames.
 *
 * @param dimensions the number of spatial dimensions
 * @param hasChannels whether tiles have a dimension of channels
 * @param channels the channels, from 0; empty for all
 * @param hasFrames whether tiles have a dimension of frames, the last one
 */
public record MeasuredImage(int dimensions, boolean hasChannels, List<Long> channels, boolean hasFrames) {

	public MeasuredImage {
		channels = List.copyOf(Given.nonNull(channels, "list of channels"));
	}

	/** @param frame the frame, from 0; 0 if tiles have none */
	public UnaryOperator<RandomAccessibleInterval<?>> frame(final long frame) {
		return tile -> still(tile, frame);
	}

	private RandomAccessibleInterval<?> still(final RandomAccessibleInterval<?> tile, final long frame) {
		final RandomAccessibleInterval<?> still = hasFrames ? Views.hyperSlice(tile, tile.numDimensions() - 1, frame) : tile;
		return hasChannels ? JointChannels.of(still, dimensions, channels, dimensions) : still;
	}

	/** The mean of all frames, in floats: what moves becomes faint, and noise less. */
	public UnaryOperator<RandomAccessibleInterval<?>> mean() {
		return tile -> {
			if (!hasFrames) return still(tile, 0);
			final long frames = tile.dimension(tile.numDimensions() - 1);
			double[] sum = null;
			long[] size = null;
			for (long f = 0; f < frames; f++) {
				final ImagePixels pixels = ImagePixels.of(still(tile, f));
				size = pixels.size();
				final Buffer raw = pixels.all();
				final int n = raw.capacity();
				if (sum == null) sum = new double[n];
				for (int i = 0; i < n; i++) sum[i] += Buffers.value(raw, pixels.type().min == 0, i);
			}
			final float[] mean = new float[sum.length];
			for (int i = 0; i < mean.length; i++) mean[i] = (float) (sum[i] / frames);
			return ArrayImgs.floats(mean, size);
		};
	}
}
