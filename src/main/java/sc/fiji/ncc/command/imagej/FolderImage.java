package sc.fiji.ncc.command.imagej;

import java.lang.ref.SoftReference;
import java.util.Optional;

import ij.IJ;
import ij.ImagePlus;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.front.Calibration;

/** An image file of a folder, without a window. Its pixels stay in memory as long as they fit. Otherwise the file is read again when they are used. */
final class FolderImage implements ImageInput {

	private final String file, name, axes, information;
	private final boolean color;
	private final Calibration calibration;
	private SoftReference<ImagePlus> held;

	/** @throws IllegalArgumentException if the file is no image that ImageJ reads */
	FolderImage(final String file) {
		this.file = file;
		final ImageJImage image = image();
		name = image.name();
		axes = image.axes();
		information = image.information();
		color = image.isColor();
		calibration = image.calibration();
	}

	synchronized ImageJImage image() {
		final ImagePlus kept = held == null ? null : held.get();
		if (kept != null) return new ImageJImage(kept);
		// the message below is the only one
		IJ.redirectErrorMessages(true);
		final ImagePlus read = IJ.openImage(file);
		IJ.redirectErrorMessages(false);
		if (read == null) throw new IllegalArgumentException(unreadable(file));
		held = new SoftReference<>(read);
		return new ImageJImage(read);
	}

	static String unreadable(final String file) {
		return "The file '" + file + "' cannot be read as an image. Remove it from the folder, or save it again.";
	}

	/** Forgets the pixels, as the garbage collector does when memory is short. */
	synchronized void forget() {
		held = null;
	}

	@Override
	public RandomAccessibleInterval<?> pixels() {
		return image().pixels();
	}

	@Override
	public String name() {
		return name;
	}

	@Override
	public boolean isColor() {
		return color;
	}

	@Override
	public String axes() {
		return axes;
	}

	@Override
	public String information() {
		return information;
	}

	@Override
	public Calibration calibration() {
		return calibration;
	}

	@Override
	public Optional<Selection> selection() {
		return image().selection();
	}

	@Override
	public long[] shown() {
		return image().shown();
	}

	@Override
	public String toString() {
		return name;
	}
}
