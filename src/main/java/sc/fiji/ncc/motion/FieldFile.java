package sc.fiji.ncc.motion;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

import sc.fiji.ncc.motion.MotionVector.State;

/** Motion fields in the formats of other programs. Positions are the centres of windows. */
public enum FieldFile {

	/**
	 * A table as {@code openpiv.tools.save} writes it: x, y, u, v, flags, mask. A flag of 1 marks a vector that is not valid, a mask of 1 a window
	 * without one. y points down.
	 */
	OPENPIV {

		@Override
		void vectors(final VectorField field, final Places places, final Writer to) throws IOException {
			to.write("# x\ty\tu\tv\tflags\tmask\n");
			for (final MotionVector v : field.vectors()) to.write(String.format(Locale.ROOT, "%.4e\t%.4e\t%.4e\t%.4e\t%.4e\t%.4e\n", places.x(v, 0), places.x(v, 1),
				places.u(v, 0), places.u(v, 1), v.isValid() ? 0.0 : 1.0, v.state() == State.MISSING || v.state() == State.MASKED ? 1.0 : 0.0));
		}
	},

	/**
	 * A table as the PIV plugin of Q. Tseng for ImageJ writes it, which plugins for traction forces read: x, y, then ux1, uy1, mag1, ang1, p1,
	 * then ux2, uy2, mag2, ang2, p2, then ux0, uy0, mag0, flag. The second peak is unknown, and 0. A flag of -1 marks a window without a
	 * vector, 1 another one that is not valid. Unknown motion is 0.
	 */
	PIV {

		@Override
		void vectors(final VectorField field, final Places places, final Writer to) throws IOException {
			for (final MotionVector v : field.vectors()) {
				final boolean missing = Double.isNaN(v.motion()[0]);
				final double u = missing ? 0 : places.u(v, 0), w = missing ? 0 : places.u(v, 1);
				to.write(String.format(Locale.ROOT, "%.4f %.4f %.6f %.6f %.6f %.4f %.6f 0 0 0 0 0 0 0 0 %d\n", places.x(v, 0), places.x(v, 1), u, w, Math.hypot(u, w),
					Math.toDegrees(Math.atan2(w, u)), missing ? 0 : v.score(), missing ? -1 : v.isValid() ? 0 : 1));
			}
		}
	},

	/** An image of VTK, for ParaView: the vectors {@code motion}, and the numbers {@code score}, {@code sigma} (the largest) and {@code valid}. */
	VTI {

		@Override
		void vectors(final VectorField field, final Places places, final Writer to) throws IOException {
			final WindowGrid grid = field.grid();
			final int[] count = grid.count();
			final int n = count.length;
			final StringBuilder extent = new StringBuilder(), origin = new StringBuilder(), spacing = new StringBuilder();
			final MotionVector first = field.vectors().get(0);
			for (int d = 0; d < 3; d++) {
				extent.append(d == 0 ? "" : " ").append("0 ").append(d < n ? count[d] - 1 : 0);
				origin.append(d == 0 ? "" : " ").append(d < n ? places.x(first, d) : 0.0);
				spacing.append(d == 0 ? "" : " ").append(d < n ? grid.spacing().get(d) * places.size[d] : 1.0);
			}
			to.write("<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"0.1\" byte_order=\"LittleEndian\">\n<ImageData WholeExtent=\"" + extent
				+ "\" Origin=\"" + origin
				+ "\" Spacing=\"" + spacing + "\">\n<Piece Extent=\"" + extent + "\">\n<PointData Vectors=\"motion\" Scalars=\"score\">\n");
			to.write("<DataArray type=\"Float64\" Name=\"motion\" NumberOfComponents=\"3\" format=\"ascii\">\n");
			for (final MotionVector v : field.vectors()) {
				for (int d = 0; d < 3; d++) to.write((d < n ? text(places.u(v, d)) : "0.0") + (d < 2 ? " " : "\n"));
			}
			to.write("</DataArray>\n");
			for (final String name : new String[] { "score", "sigma", "valid" }) {
				to.write("<DataArray type=\"Float64\" Name=\"" + name + "\" format=\"ascii\">\n");
				for (final MotionVector v : field.vectors()) to.write(text(name.equals("score") ? v.score() : name.equals("valid") ? v.isValid() ? 1 : 0
					: places.sigma(v)) + "\n");
				to.write("</DataArray>\n");
			}
			to.write("</PointData>\n</Piece>\n</ImageData>\n</VTKFile>\n");
		}

		/** VTK writes NaN in lower case. */
		private String text(final double number) {
			return Double.isNaN(number) ? "nan" : Double.toString(number);
		}
	};

	/** Positions and motions in a unit: the size of a pixel along each dimension. */
	private record Places(double[] size) {

		double x(final MotionVector v, final int d) {
			return v.centre()[d] * size[d];
		}

		double u(final MotionVector v, final int d) {
			return v.motion()[d] * size[d];
		}

		double sigma(final MotionVector v) {
			double largest = Double.NaN;
			for (int d = 0; d < v.motion().length; d++) {
				final double sigma = v.sigma(d) * size[d];
				if (!(sigma <= largest)) largest = sigma;
			}
			return largest;
		}
	}

	abstract void vectors(VectorField field, Places places, Writer to) throws IOException;

	/**
	 * Writes a field.
	 *
	 * @param pixel the size of a pixel along each dimension, for positions and motions in a unit; 1 for pixels
	 * @throws IllegalArgumentException if the format has two dimensions only, and the field has three
	 */
	public void write(final VectorField field, final double[] pixel, final Writer to) throws IOException {
		if (this != VTI && field.grid().dimensions() > 2) throw new IllegalArgumentException("the format " + name().toLowerCase(Locale.ROOT)
			+ " has two dimensions, and the field has three: write a .vti file");
		vectors(field, new Places(pixel.clone()), to);
	}
}
