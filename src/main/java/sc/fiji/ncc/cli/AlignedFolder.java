package sc.fiji.ncc.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.view.Views;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.cli.input.FailureReason;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.map.FolderOfMaps;
import sc.fiji.ncc.cli.map.StackWriter;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.register.JointChannels;
import sc.fiji.ncc.register.correct.CorrectedStack;
import sc.fiji.ncc.result.Drift;

/** The images of a folder as the frames of a sequence, one per file, read when they are used. */
final class AlignedFolder {

	private final List<String> names;
	private final List<Long> channels;
	private final int dimensions;
	private final InputImage first;

	/**
	 * @param names the files, in order
	 * @param dimensions the number of dimensions of a frame; 0 for 3 if the images have slices, otherwise 2
	 * @param channels the channels to measure on; empty for all
	 */
	AlignedFolder(final List<String> names, final int dimensions, final List<Long> channels) {
		this.names = names;
		this.channels = channels;
		final InputImage image = ImageFiles.read(names.get(0));
		this.dimensions = dimensions != 0 ? dimensions : image.axes().indexOf('z') >= 0 ? 3 : 2;
		if (image.axes().indexOf('t') >= 0 || this.dimensions == 2 && image.axes().indexOf('z') >= 0)
			throw new IllegalArgumentException(names.get(0) + " (" + image.axes() + ", "
			+ image.size() + ") has more than one frame: give a folder of single frames, or one stack");
		first = image.spatialFirst(this.dimensions);
	}

	int dimensions() {
		return dimensions;
	}

	int count() {
		return names.size();
	}

	/** The spatial extents of a frame. */
	long[] size() {
		return Arrays.copyOf(first.pixels().dimensionsAsLongArray(), dimensions);
	}

	private InputImage frame(final int index) {
		return ImageFiles.read(names.get(index)).spatialFirst(dimensions).like(first);
	}

	/** As many frames as there are files, all with the pixels of the first one: their size, type and number. */
	RandomAccessibleInterval<?> recorded() {
		return Views.addDimension(first.pixels(), 0, names.size() - 1);
	}

	/** The frames to measure on. */
	List<RandomAccessibleInterval<?>> measured() {
		return new AbstractList<>() {

			@Override
			public RandomAccessibleInterval<?> get(final int index) {
				final InputImage image = frame(index);
				final int c = image.axes().indexOf('c');
				return c < 0 ? image.pixels() : JointChannels.joint(image.pixels(), c, channels);
			}

			@Override
			public int size() {
				return names.size();
			}
		};
	}

	/** Checks the output before anything is measured. */
	void check(final String output, final String input, final Outside border) {
		CorrectedStack.requireBorder(first.pixels(), border);
		FolderOfMaps.requireFolder(output, input);
	}

	/** Writes the corrected frames. Each file appears when it is complete, and stays if a later one fails. */
	void write(final DriftCorrection correction, final Drift drift, final String output, final DriftOptions options,
		final ProgressBar progress) throws IOException
	{
		final Path folder = ImageFiles.path(output);
		FailureReason.tried("create the folder " + output, () -> Files.createDirectories(folder));
		final Monitor monitor = progress.cancelOnly();
		for (int i = 0; i < names.size(); i++) {
			final InputImage image = frame(i);
			final Img<?> moved = correction.correctedFrame(image.pixels(), i, drift, options.interpolation, options.border);
			final long[] origin = Arrays.copyOf(CorrectedStack.region(drift, options.interpolation, options.border).min(), moved.numDimensions());
			final String name = ImageFiles.path(names.get(i)).getFileName().toString().replaceFirst("\\.[^.]*$", "") + ".tif";
			try (Outputs one = new Outputs()) {
				final Path place = one.promise(folder.resolve(name).toString(), names);
				new StackWriter(image, origin, options.threads(), monitor).file(moved, one, place);
				one.commit();
			}
			progress.done(1);
		}
	}
}
