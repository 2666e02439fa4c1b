package sc.fiji.ncc.cuda.run;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Sliding;

/**
 * Where the pixels of a box lie on the GPU as sent: the part of the image of channel after channel, then, if pixels may be missing, their mask with
 * one byte per pixel: 0 where a pixel is missing.
 */
public record SentPixels(PixelType type, int channels, boolean masked) {

	public static SentPixels of(final Sliding problem) {
		return new SentPixels(problem.image(), problem.channels(), problem.lags().masked());
	}

	/** The bytes of all channels and of the mask. */
	long bytes(final BoxGeometry box) {
		return (long) bytesPerPixel() * box.pixels();
	}

	int bytesPerPixel() {
		return channels * type.bytes + (masked ? 1 : 0);
	}

	long channelOffset(final BoxGeometry box, final int channel) {
		return (long) channel * box.pixels() * type.bytes;
	}

	long maskOffset(final BoxGeometry box) {
		return channelOffset(box, channels);
	}

	public CUdeviceptr channel(final CUdeviceptr raw, final BoxGeometry box, final int channel) {
		return raw.withByteOffset(channelOffset(box, channel));
	}

	/** The mask; a null pointer if no pixel may be missing. */
	public CUdeviceptr mask(final CUdeviceptr raw, final BoxGeometry box) {
		return masked ? raw.withByteOffset(maskOffset(box)) : new CUdeviceptr();
	}
}
