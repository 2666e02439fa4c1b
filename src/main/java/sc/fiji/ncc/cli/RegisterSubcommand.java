package sc.fiji.ncc.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import sc.fiji.ncc.Registration;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.map.StackWriter;
import sc.fiji.ncc.cli.output.DriftTable;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.register.JointChannels;
import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.store.DriftFile;

/** {@code ncc register}: the shift between two images, and the second image moved onto the first. */
@Command(name = "register", description = {
	"Finds how far the content of MOVING has moved against FIXED, in two or three dimensions, and prints the shift in pixels and its correlation coefficient.",
	"The images may have different sizes and several channels. With -o it writes MOVING, moved onto FIXED: its size and position are those of FIXED, its pixel type stays.",
	"A runner-up near the best coefficient means that the shift is ambiguous, as in periodic images. The expected number of false alarms says how many peaks as "
		+ "high would be found by chance. Above 0.01 the shift is doubtful, and the line says why." })
final class RegisterSubcommand extends Subcommand {

	@Parameters(index = "0", paramLabel = "FIXED", description = "The image that stays. Formats: " + ImageFiles.KINDS + ".")
	private String fixed;

	@Parameters(index = "1", paramLabel = "MOVING", description = "The image that is moved.")
	private String moving;

	@Option(names = { "-o", "--output" }, paramLabel = "MOVED.tif|MOVED.mrc|MOVED.zarr", description = "The moved image. Default: none, only the shift.")
	private String output;

	@Option(names = "--fixed-mask", paramLabel = "FILE", description = "An image of the size of FIXED: pixels of 0 do not count.")
	private String fixedMask;

	@Option(names = "--moving-mask", paramLabel = "FILE", description = "An image of the size of MOVING: pixels of 0 do not count.")
	private String movingMask;

	@Option(names = "--peaks", paramLabel = "N", defaultValue = "2", description = "The number of peaks in the table. Default: 2.")
	private int peaks;

	@Mixin
	private DriftOptions common;

	@Option(names = "--border", paramLabel = "edge|constant[:VALUE]|nan",
		description = "What pixels outside MOVING are. edge: the nearest pixel. constant: VALUE; default of VALUE: 0. nan: NaN, for floats. Default: constant.")
	private void border(final Outside outside) {
		common.border = outside;
	}

	@Option(names = "--transforms", paramLabel = "SHIFT.json", description = "Write the shift as JSON, with one frame.")
	private String transforms;

	@Option(names = "--table", paramLabel = "PEAKS.csv", description = "Write the best peaks as a table with the columns "
		+ "peak,dx,dy,dz,score,overlap,doubtful,false_alarms,sigma_x,sigma_y,correlation_xy; for volumes also those with z.")
	private String table;

	@Override
	void run(final Outputs outputs, final ProgressBar progress) throws IOException {
		common.check(output);
		if (common.border.kind() == Outside.Kind.CROP || common.border.kind() == Outside.Kind.UNION) throw new IllegalArgumentException("--border "
			+ common.border.kind().name().toLowerCase(Locale.ROOT) + ": the moved image has the size of " + fixed + "; give edge, constant, constant:VALUE or nan");
		Range.COUNT.of("--peaks ", peaks);
		final List<String> inputs = new ArrayList<>(List.of(fixed, moving));
		if (fixedMask != null) inputs.add(fixedMask);
		if (movingMask != null) inputs.add(movingMask);
		outputs.watch(inputs);
		final Path json = outputs.promise("--transforms", transforms, inputs, ".json"), csv = outputs.promise("--table", table, inputs, ".csv");
		final Path place = outputs.promiseImage(output, inputs);
		final InputImage still = ImageFiles.read(fixed), other = ImageFiles.read(moving);
		StackWriter.require(output, other);
		final int n = still.axes().indexOf('z') >= 0 ? 3 : 2;
		final InputImage a = still.spatialFirst(n), b = spatial(other, n);
		final Registration registration = Registration.of(measured(a, n)).peaks(Math.max(2, peaks)).minOverlap(common.minOverlap)
			.compute(common.compute(progress.cancelOnly()));
		if (common.maxShift != null) registration.maxShift(common.maxShift(n));
		if (fixedMask != null) registration.fixedMask(ImageFiles.read(fixedMask).gray().pixels());
		if (movingMask != null) registration.movingMask(ImageFiles.read(movingMask).gray().pixels());
		final RandomAccessibleInterval<?> moved = measured(b, n);
		if (common.explain) program.out().println(registration.explain(moved).explain());
		final Alignment found = registration.register(moved);
		write(outputs, found, json, csv, Arrays.copyOf(a.pixels().dimensionsAsLongArray(), n));
		if (place != null) {
			if (common.explain) program.out().println(common.explainMoving(() -> registration.explainMove(b.pixels(), common.interpolation)));
			final Img<?> shown = registration.move(b.pixels(), found.shift(), common.interpolation, common.border);
			// the moved image lies where the fixed image lies
			final InputImage placed = new InputImage(moving, b.pixels(), b.axes(), still.calibration(), null, b.colour());
			new StackWriter(placed, new long[shown.numDimensions()], common.threads(), progress).image(shown, outputs, place, null);
		}
		progress.close();
		outputs.commit();
		program.out().println(summary(found));
	}

	private InputImage spatial(final InputImage other, final int n) {
		final boolean volume = other.axes().indexOf('z') >= 0;
		if (volume != (n == 3)) throw new IllegalArgumentException(fixed + " has " + n + " spatial dimensions, and " + moving + " has " + (volume ? 3 : 2)
			+ ": give two planes or two volumes");
		return other.spatialFirst(n);
	}

	private RandomAccessibleInterval<?> measured(final InputImage image, final int n) {
		if (image.axes().indexOf('t') >= 0)
			throw new IllegalArgumentException(image.name() + " (" + image.axes() + ") has several frames: use ncc align for a stack, or give one frame");
		final int c = image.axes().indexOf('c');
		final List<Long> channels = common.channels(image);
		return c >= 0 ? JointChannels.of(image.pixels(), c, channels, n) : image.pixels();
	}

	private static void write(final Outputs outputs, final Alignment found, final Path json, final Path csv, final long[] size) throws IOException {
		outputs.bytes(json, to -> DriftFile.write(new Drift(size, "first", List.of(new FrameShift(0, found.shift(), found.score(), found.overlap(), 0,
			found.runnerUp(), found.edge(), found.doubtful() ? FrameShift.State.DOUBTFUL : FrameShift.State.OK, found.covariance()))), to));
		outputs.text(csv, to -> DriftTable.write(found, to));
	}

	private String summary(final Alignment found) {
		final StringBuilder s = new StringBuilder("shift ");
		for (int d = 0; d < found.shift().length; d++) s.append(d == 0 ? "" : ", ").append(String.format(Locale.ROOT, "%.3f", rounded(found.shift()[d])));
		s.append(" pixels");
		for (int d = 0; d < found.shift().length && found.covariance() != null; d++) s.append(String.format(Locale.ROOT, "%s%.4f", d == 0 ? ", standard deviation " : ", ", found.sigma(d)));
		s.append(String.format(Locale.ROOT, ", score %.6f, runner-up %.6f, overlap %.1f %%, expected false alarms %.3g",
			found.score(), found.runnerUp(), 100 * found.overlap(), found.falseAlarms()));
		if (found.doubtful()) s.append("; doubtful: ").append(found.doubt()).append("; a smaller --max-shift can help, or ").append(common.smallerOverlap());
		if (found.edge()) s.append("; the peak lies at the end of the search: ").append(common.farther());
		return s.append(Outputs.wrote(output, transforms, table)).toString();
	}

	/** A shift in thousandths of a pixel. Adding 0 makes 0 of -0. */
	private static double rounded(final double shift) {
		return Math.rint(1000 * shift) / 1000 + 0.0;
	}
}
