package sc.fiji.ncc.cpu.ncc;

import sc.fiji.ncc.loops.Rows;

/** The responses of a tile on their way into an array, of floats or of doubles. */
abstract class TileResponses {

	private static final class Floats extends TileResponses {

		private final float[] to;

		Floats(final float[] to) {
			this.to = to;
		}

		@Override
		void put(final int i, final double response) {
			to[i] = (float) response;
		}

		@Override
		boolean put(final int o, final double[] row, final int n) {
			return Rows.toFloat(row, to, o, n);
		}

		@Override
		boolean undefined(final int i) {
			return to[i] != to[i];
		}
	}

	private static final class Doubles extends TileResponses {

		private final double[] to;

		Doubles(final double[] to) {
			this.to = to;
		}

		@Override
		void put(final int i, final double response) {
			to[i] = response;
		}

		@Override
		boolean put(final int o, final double[] row, final int n) {
			boolean broken = false;
			for (int x = 0; x < n; x++) {
				final double r = row[x];
				// NaN stays
				to[o + x] = Math.max(-1, Math.min(1, r));
				broken |= r != r;
			}
			return broken;
		}

		@Override
		boolean undefined(final int i) {
			return to[i] != to[i];
		}
	}

	/** @param to an array of floats or of doubles */
	static TileResponses in(final Object to) {
		return to instanceof float[] ? new Floats((float[]) to) : new Doubles((double[]) to);
	}

	abstract void put(int i, double response);

	/** Puts a row of coefficients, which may lie a rounding beyond ±1, at {@code o}; true if one is NaN. */
	abstract boolean put(int o, double[] row, int n);

	/** Whether what stands there is NaN. */
	abstract boolean undefined(int i);
}
