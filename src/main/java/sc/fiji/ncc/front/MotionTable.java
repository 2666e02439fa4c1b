package sc.fiji.ncc.front;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

import sc.fiji.ncc.motion.MotionVector;
import sc.fiji.ncc.motion.VectorField;

/** The vectors of motion fields, the same in all front ends: positions, motions and standard deviations in pixels. Frames count from 1. */
public final class MotionTable {

	private static final String UVW = "UVW";

	private MotionTable() {}

	/** The names of the components of a motion: u, v and, in volumes, w. */
	public static List<String> components(final int dimensions) {
		return UVW.toLowerCase(Locale.ROOT).substring(0, dimensions).chars().mapToObj(Character::toString).toList();
	}

	private record Row(long frame, MotionVector vector) {}

	/**
	 * A row for each vector, but those of masked windows. The frame is that in which the windows were searched.
	 *
	 * @param alarms whether there is a column of false alarms
	 */
	public static TableColumns<?> of(final Collection<VectorField> fields, final int dimensions, final boolean alarms) {
		// a centre lies on a pixel or in the middle of two
		final TableColumns<Row> columns = new TableColumns<Row>(fields.stream().flatMap(f -> f.unmasked().stream().map(v -> new Row(f.to(), v))).toList())
			.add("Frame", r -> r.frame + 1).each("", "XYZ", 1, dimensions, (r, d) -> r.vector.centre()[d])
			.each("", UVW, null, dimensions, (r, d) -> r.vector.motion()[d])
			.add("Score", ShownNumber.SCORE, r -> r.vector.score()).add("Ratio", r -> r.vector.ratio());
		if (alarms) columns.add("FalseAlarms", ShownNumber.PROBABILITY, r -> r.vector.falseAlarms());
		return columns.each("Sigma", UVW, ShownNumber.SCORE, dimensions, (r, d) -> r.vector.sigma(d)).add("Valid", r -> r.vector.isValid())
			.add("State", r -> r.vector.state().toString());
	}
}
