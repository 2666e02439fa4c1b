package sc.fiji.ncc.cli;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.map.StackWriter;
import sc.fiji.ncc.front.MeasuredChannels;
import sc.fiji.ncc.front.SettingWords;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.register.DriftSettings;

/** The options that {@code align} and {@code register} share. */
final class DriftOptions {

	private static final String CHANNELS = "--channels ";

	@Option(names = "--channels", paramLabel = "N[,N…]|joint", defaultValue = "1", description = SettingWords.CHANNELS + "All channels are moved. Default: 1.")
	String channels;

	@Option(names = "--max-shift", paramLabel = "N|dx,dy[,dz]", description = SettingWords.MAX_SHIFT)
	WholeNumbers maxShift;

	@Option(names = "--min-overlap", paramLabel = "S", defaultValue = "" + DriftSettings.MIN_OVERLAP, description = SettingWords.MIN_OVERLAP)
	double minOverlap;

	@Option(names = "--interpolation", paramLabel = "integer|linear|cubic|lanczos|fourier", defaultValue = "cubic", description = SettingWords.INTERPOLATION)
	Interpolation interpolation;

	/** What lies outside the recorded frame: {@code --border} of the subcommand. */
	Outside border = Outside.BLACK;

	@Mixin
	PlanningOptions planning;

	@Option(names = "--explain", description = "Print the algorithms that can measure the shifts, the deformations of frames, and the pixels of moved frames: "
		+ "the expected time of each, and why it was chosen or not.")
	boolean explain;

	/** @throws IllegalArgumentException if an option is out of range */
	void check(final String output) {
		planning.check();
		channels();
		StackWriter.requireName("the output", output);
		if (maxShift != null) maxShift.lengths("--max-shift ", maxShift.count() == 3 ? 3 : 2, 0);
		Range.PART.of("--min-overlap ", minOverlap);
	}

	/** What moves images, as text. @param ranking the candidates; whole shifts have none */
	String explainMoving(final Supplier<Ranking> ranking) {
		return interpolation == Interpolation.INTEGER ? "integer shifts: the CPU copies the pixels" : ranking.get().explain();
	}

	/** What to do if the best peak lies at the end of the search. */
	String farther() {
		return maxShift != null ? "enlarge --max-shift" : "the shift may be larger: give " + smallerOverlap();
	}

	/** Such as {@code a --min-overlap below 0.333}. */
	String smallerOverlap() {
		return "a --min-overlap below " + String.format(Locale.ROOT, "%.3g", minOverlap);
	}

	/** How shifts are computed. */
	ComputeOptions compute(final Monitor monitor) {
		return planning.options(Precision.SINGLE).monitor(monitor);
	}

	int threads() {
		return planning.threads();
	}

	/** The maximum shift for frames of this number of dimensions; null for none. */
	long[] maxShift(final int dimensions) {
		return maxShift == null ? null : maxShift.lengths("--max-shift ", dimensions, 0);
	}

	/** The channels to measure on, from 0; empty for all. */
	List<Long> channels() {
		return MeasuredChannels.of(CHANNELS, channels);
	}

	/** The same for an image with so many channels. */
	List<Long> channels(final InputImage image) {
		final int c = image.axes().indexOf('c');
		MeasuredChannels.require(CHANNELS, channels(), c < 0 ? 1 : image.pixels().dimension(c), image.name());
		return channels();
	}
}
