package sc.fiji.ncc.cli.output;

import java.io.IOException;
import java.io.Writer;

import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.motion.MotionVector;
import sc.fiji.ncc.motion.VectorField;

/** The vectors of motion fields, as CSV after RFC 4180, in pixels. Frames count from 1. A value that does not exist is NaN. */
public final class MotionTable {

	private MotionTable() {}

	/** The head, for fields of two or three dimensions. @param alarms whether there is a column of false alarms */
	public static String head(final int dimensions, final boolean alarms) {
		return (dimensions == 2 ? "frame,x,y,u,v,score,ratio," : "frame,x,y,z,u,v,w,score,ratio,") + (alarms ? "false_alarms," : "")
			+ (dimensions == 2 ? "sigma_u,sigma_v,valid,state" : "sigma_u,sigma_v,sigma_w,valid,state");
	}

	/** One row for each vector of each field, but those of masked windows. The frame is that in which the windows were searched. */
	public static void write(final Iterable<VectorField> fields, final int dimensions, final boolean alarms, final Writer to) throws IOException {
		to.write(new CsvRow().columns(head(dimensions, alarms)).toString());
		for (final VectorField field : fields)
			for (final MotionVector v : field.unmasked()) {
				final CsvRow row = new CsvRow().add(field.to() + 1).positions(v.centre()).positions(v.motion()).scores(v.score()).positions(v.ratio());
				if (alarms) row.number(v.falseAlarms(), ShownNumber.PROBABILITY);
				to.write(row.sigmas(dimensions, v::sigma).add(v.isValid(), v.state()).toString());
			}
	}
}
