package sc.fiji.ncc.front;

import java.util.Collection;

import sc.fiji.ncc.motion.MotionVector;
import sc.fiji.ncc.motion.VectorField;

/** The vectors of motion fields, the same in all front ends: positions, motions and standard deviations in pixels. Frames count from 1. */
public final class MotionTable {

	private static final String UVW = "UVW";

	private MotionTable() {}

	private record Row(long frame, MotionVector vector) {}

	/**
	 * A row for each vector, but those of masked windows. The frame is that in which the windows were searched.
	 *
	 * @param alarms whether there is a column of false alarms
	 */
	public static TableColumns<?> of(final Collection<VectorField> fields, final int dimensions, final boolean alarms) {
		final TableColumns<Row> columns = new TableColumns<Row>(fields.stream().flatMap(f -> f.unmasked().stream().map(v -> new Row(f.to(), v))).toList())
			.add("Frame", r -> r.frame + 1);
		// a centre lies on a pixel or in the middle of two
		for (int d = 0; d < dimensions; d++) {
			final int axis = d;
			columns.add("XYZ".substring(d, d + 1), 1, r -> r.vector.centre()[axis]);
		}
		for (int d = 0; d < dimensions; d++) {
			final int axis = d;
			columns.add(UVW.substring(d, d + 1), r -> r.vector.motion()[axis]);
		}
		columns.add("Score", ShownNumber.SCORE, r -> r.vector.score()).add("Ratio", r -> r.vector.ratio());
		if (alarms) columns.add("FalseAlarms", ShownNumber.PROBABILITY, r -> r.vector.falseAlarms());
		for (int d = 0; d < dimensions; d++) {
			final int axis = d;
			columns.add("Sigma" + UVW.charAt(d), ShownNumber.SCORE, r -> r.vector.sigma(axis));
		}
		return columns.add("Valid", r -> r.vector.isValid()).add("State", r -> r.vector.state().toString());
	}
}
