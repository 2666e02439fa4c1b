package sc.fiji.ncc.motion;

import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

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
 * @param seconds the elapsed time
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

	/** The number of windows of all fields. */
	public long windows() {
		return fields.stream().mapToLong(f -> f.vectors().size()).sum();
	}

	/**
	 * The fields as an image: the windows along x, y and z, the component of the motion, and the pair of frames. Values are in pixels; NaN for unknown motion.
	 */
	public Img<FloatType> image() {
		final int[] count = grid().count();
		final int n = count.length, windows = grid().windows();
		final float[] values = new float[Math.multiplyExact(windows * n, fields.size())];
		for (int f = 0; f < fields.size(); f++)
			for (int d = 0; d < n; d++) {
				final double[] component = fields.get(f).component(d);
				for (int i = 0; i < windows; i++) values[(f * n + d) * windows + i] = (float) component[i];
			}
		final long[] size = new long[n + 2];
		for (int d = 0; d < n; d++) size[d] = count[d];
		size[n] = n;
		size[n + 1] = fields.size();
		return ArrayImgs.floats(values, size);
	}

	/** Such as {@code 430 of 450 vectors are valid, in 2 pairs of frames}. */
	public String summary() {
		return valid() + " of " + windows() + " vectors are valid, in " + fields.size() + (fields.size() == 1 ? " pair of frames" : " pairs of frames");
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
