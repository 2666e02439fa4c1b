package sc.fiji.ncc.cli.output;

import java.io.IOException;
import java.io.Writer;

import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.motion.MotionVector;
import sc.fiji.ncc.motion.VectorField;

/** The vectors of motion fields, as CSV after RFC 4180, in pixels. Frames count from 1. A value that does not exist is NaN. */
public final class MotionTable {

	private static final String LINE = "\r\n";

	private MotionTable() {}

	/** The head, for fields of two or three dimensions. */
	public static String head(final int dimensions) {
		return dimensions == 2 ? "frame,x,y,u,v,score,ratio,sigma_u,sigma_v,valid,state" : "frame,x,y,z,u,v,w,score,ratio,sigma_u,sigma_v,sigma_w,valid,state";
	}

	/** One row for each vector of each field. The frame is that in which the windows were searched. */
	public static void write(final Iterable<VectorField> fields, final int dimensions, final Writer to) throws IOException {
		to.write(head(dimensions) + LINE);
		for (final VectorField field : fields)
			for (final MotionVector v : field.vectors()) {
				final StringBuilder row = new StringBuilder().append(field.to() + 1);
				for (final double x : v.centre()) row.append(number(x, ShownNumber.POSITION));
				for (final double u : v.motion()) row.append(number(u, ShownNumber.POSITION));
				row.append(number(v.score(), ShownNumber.SCORE)).append(number(v.ratio(), ShownNumber.POSITION));
				for (int d = 0; d < dimensions; d++) row.append(number(v.sigma(d), ShownNumber.SCORE));
				to.write(row + "," + (v.isValid() ? 1 : 0) + "," + v.state() + LINE);
			}
	}

	private static String number(final double value, final int decimals) {
		return "," + ShownNumber.text(value, decimals);
	}
}
