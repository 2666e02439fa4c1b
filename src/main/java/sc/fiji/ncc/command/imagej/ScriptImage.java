package sc.fiji.ncc.command.imagej;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.ARGBType;

import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.front.Calibration;

/**
 * An image from a script, without a window. An image of ImageJ2 has a name and axes. There is no selection and no overlay.
 *
 * @param axes the axes, and the calibration, if the image is not one of ImageJ2, which has both
 */
record ScriptImage(Img<?> pixels, String axes, Calibration calibration) implements ImageInput {

	ScriptImage(final Img<?> pixels) {
		this(pixels, "xyzct".substring(0, Math.min(5, pixels.numDimensions())), Calibration.NONE);
	}

	@Override
	public String name() {
		return ImageJ2.name(pixels).orElse("image");
	}

	@Override
	public boolean isColor() {
		return pixels.getType() instanceof ARGBType || ImageJ2.isColor(pixels);
	}

	@Override
	public String axes() {
		return ImageJ2.axes(pixels).orElse(axes);
	}

	@Override
	public Calibration calibration() {
		return ImageJ2.calibration(pixels, axes()).orElse(calibration);
	}

	@Override
	public long[] shown() {
		return new long[pixels.numDimensions() - 2];
	}

	@Override
	public boolean equals(final Object other) {
		return other instanceof ScriptImage && ((ScriptImage) other).pixels == pixels;
	}

	@Override
	public int hashCode() {
		return System.identityHashCode(pixels);
	}

	@Override
	public String toString() {
		return name();
	}
}
