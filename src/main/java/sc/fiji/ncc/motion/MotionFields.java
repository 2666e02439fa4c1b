package sc.fiji.ncc.motion;

import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import org.apache.commons.math3.stat.descriptive.rank.Median;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Ranking;

/**
 * The motion in all pairs of frames.
 *
 * @param fields one for each pair, in the order of the frames
 * @param report the counts of the computed lags
 * @param rankings the candidates for the first pass, and for later ones
 * @param seconds the elapsed time, without the time of measuring candidates
 */
public record MotionFields(List<VectorField> fields, Report report, List<Ranking> rankings, double seconds) {

	public MotionFields {
		fields = List.copyOf(Given.list(fields, "field"));
		Given.nonNull(report, "report");
		rankings = List.copyOf(Given.nonNull(rankings, "list of rankings"));
	}

	/** The windows of each field. */
	public WindowGrid grid() {
		return fields.get(0).grid();
	}

	/** The number of valid vectors of all fields. */
	public long valid() {
		return fields.stream().mapToLong(VectorField::valid).sum();
	}

	/** Whether no window has a peak, because all are flat or have too few pixels. */
	public boolean isEmpty() {
		return fields.stream().flatMap(f -> f.vectors().stream()).allMatch(v -> Double.isNaN(v.score()));
	}

	/** The number of windows of all fields, without those that the grid mask leaves out. */
	public long windows() {
		return fields.stream().mapToLong(f -> f.unmasked().size()).sum();
	}

	/**
	 * The fields as an image: the windows along x, y and z, the component of the motion, and the pair of frames. Values are in pixels; NaN for unknown motion.
	 */
	public Img<FloatType> image() {
		return image(grid().dimensions(), VectorField::component);
	}

	/**
	 * Speed, divergence, vorticity and strains as an image: the windows along x, y and z, the {@link FieldMap}, in the order of {@link FieldMap#of(int)}, and the
	 * pair of frames. NaN where a value is unknown.
	 */
	public Img<FloatType> derived() {
		final List<FieldMap> maps = FieldMap.of(grid().dimensions());
		return image(maps.size(), (field, m) -> maps.get(m).of(field));
	}

	/** @param values the values of a channel of a field, one for each window */
	private Img<FloatType> image(final int channels, final BiFunction<VectorField, Integer, double[]> values) {
		final int[] count = grid().count();
		final int n = count.length, windows = grid().windows();
		final float[] all = new float[Math.multiplyExact(Math.multiplyExact(windows, channels), fields.size())];
		for (int f = 0; f < fields.size(); f++)
			for (int c = 0; c < channels; c++) {
				final double[] of = values.apply(fields.get(f), c);
				for (int i = 0; i < windows; i++) all[(f * channels + c) * windows + i] = (float) of[i];
			}
		final long[] size = new long[n + 2];
		for (int d = 0; d < n; d++) size[d] = count[d];
		size[n] = channels;
		size[n + 1] = fields.size();
		return ArrayImgs.floats(all, size);
	}

	/** Such as {@code 430 of 450 vectors are valid, in 2 pairs of frames, median motion 1.02, -0.33 and speed 1.25 pixels}: of the valid vectors. */
	public String summary() {
		final String counts = valid() + " of " + windows() + " vectors are valid, in " + fields.size()
			+ (fields.size() == 1 ? " pair of frames" : " pairs of frames");
		if (valid() == 0) return counts;
		return counts + ", median motion " + IntStream.range(0, grid().dimensions()).mapToObj(d -> median(v -> v.motion()[d])).collect(Collectors.joining(", "))
			+ " and speed " + median(MotionVector::speed) + " pixels";
	}

	private String median(final ToDoubleFunction<MotionVector> value) {
		final double median = new Median().evaluate(fields.stream().flatMap(f -> f.vectors().stream()).filter(MotionVector::isValid)
			.mapToDouble(value).toArray());
		// the sum turns -0.00 into 0.00
		return String.format(Locale.ROOT, "%.2f", Math.rint(100 * median) / 100 + 0.0);
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
