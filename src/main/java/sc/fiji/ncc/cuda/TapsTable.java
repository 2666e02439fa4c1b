package sc.fiji.ncc.cuda;

/**
 * A template's rows as matrices for {@code bytes.cu}: row m of a matrix holds the row's taps moved m places to the right, for m from 0 to 15, so
 * that its product with a column of pixels gives 16 neighbouring lags. Cut into steps of 32 columns, each stored as the registers of a
 * warp for mma.m16n8k32 (PTX ISA, "Matrix fragments for mma.m16n8k32"). The order of the columns within a step is ours: thread t of a group of four
 * reads 8 pixels that lie side by side.
 */
final class TapsTable {

	static final int STEP = 32, MOVES = 16;

	private TapsTable() {}

	static int steps(final int width) {
		return (width + MOVES - 1 + STEP - 1) / STEP;
	}

	/** @param taps all rows of all planes, one byte a tap */
	static byte[] of(final byte[] taps, final int width) {
		final int rows = taps.length / width, steps = steps(width);
		final byte[] table = new byte[rows * steps * 32 * 16];
		for (int row = 0, o = 0; row < rows; row++)
			for (int step = 0; step < steps; step++)
				for (int lane = 0; lane < 32; lane++)
					for (int register = 0; register < 4; register++)
						for (int i = 0; i < 4; i++, o++) {
							final int move = lane / 4 + 8 * (register & 1);
							final int column = STEP * step + 8 * (lane % 4) + 4 * (register >> 1) + i - move;
							if (column >= 0 && column < width) table[o] = taps[row * width + column];
						}
		return table;
	}
}
