package sc.fiji.ncc.cpu.fourier;

import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;

/**
 * The parts of a template along x, y and z, one for each transform: a template that is larger than a block is cut. The last parts may be smaller. The
 * correlation with the template is the sum of those with its parts, each at its own offset. Immutable.
 */
public final class TemplateParts {

	public final TemplatePlanes planes;
	/** The number of parts. */
	public final int count;
	/** The extents of a block and of a part, and the number of parts along each dimension. */
	final int[] block, part, counts;

	/** @param shape the blocks and parts for templates of this size */
	public TemplateParts(final TemplatePlanes planes, final FourierShape shape) {
		this(planes, shape.block(), shape.part());
	}

	/**
	 * @param block the extents of a block along x, y and z, which hold a part
	 * @param part the extents of a part
	 */
	TemplateParts(final TemplatePlanes planes, final int[] block, final int[] part) {
		this.planes = planes;
		this.block = block;
		this.part = part;
		final int[] size = { planes.width, planes.height, planes.count };
		counts = new int[3];
		int n = 1;
		for (int d = 0; d < 3; d++) {
			counts[d] = (size[d] + part[d] - 1) / part[d];
			n *= counts[d];
		}
		count = n;
	}

	/** The first pixel of a part along dimension {@code d}. */
	int offset(final int index, final int d) {
		int i = index;
		for (int e = 0; e < d; e++) i /= counts[e];
		return i % counts[d] * part[d];
	}

	/** The place of a pixel of the template. */
	interface Copy {

		/**
		 * @param pixel the index in the template, x fastest
		 * @param row the row of the transform
		 * @param x the place in the row
		 */
		void copy(int pixel, int row, int x);
	}

	/** Calls back for every pixel of a part. */
	void forEach(final int index, final int rowLength, final Copy copy) {
		final int x0 = offset(index, 0), y0 = offset(index, 1), z0 = offset(index, 2);
		final int w = Math.min(part[0], planes.width - x0), h = Math.min(part[1], planes.height - y0), d = Math.min(part[2], planes.count - z0);
		for (int z = 0; z < d; z++)
			for (int y = 0; y < h; y++)
				for (int x = 0; x < w; x++) {
					final int place = (z * block[1] + y) * block[0] + x;
					copy.copy(((z0 + z) * planes.height + y0 + y) * planes.width + x0 + x, place / rowLength, place % rowLength);
				}
	}

	/** The transform of a block in float. */
	public TileFft fft() {
		return TileFft.of(block[0], block[1], block[2]);
	}
}
