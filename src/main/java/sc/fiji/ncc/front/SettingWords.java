package sc.fiji.ncc.front;

/** What settings mean that the command line and the menu explain in the same words. */
public final class SettingWords {

	private SettingWords() {}

	public static final String BLENDING = "What pixels are where tiles overlap. linear: the mean, weighted by the distance to the border of "
		+ "the tile. mean: the mean of all tiles. max: the largest value. first: the value of the first tile. Default: linear.";
	public static final String ORDER = "The order of the tiles in the grid. rows: row by row. columns: column by column. snake-rows, "
		+ "snake-columns: the same with every other row or column backwards. Default: rows.";
	public static final String MAX_RESIDUAL = "The largest residual of a valid vector in the median test (Westerweel and Scarano 2005): its "
		+ "distance from the median of its neighbours, divided by the median of their own distances. Default: 3.";
	public static final String MIN_RATIO = "The smallest ratio of the scores of the two highest peaks of a valid vector, in the first pass. "
		+ "0: any. Default: 1.1.";
	public static final String ENSEMBLE = "All pairs of frames have one motion, as in a steady flow: that of the peak of the mean of their "
		+ "responses. So few particles in a window are enough. The result is one field.";
	public static final String GRID_MASK = "Windows at which it is 0 are left out: they are not measured, and not in the table. In an image "
		+ "of a frame, the pixel at the centre of a window counts. Default: none, all windows.";
	public static final String PIECEWISE = "The size of the windows that measure how frames are deformed, after their shifts, in pixels. "
		+ "Windows are half a window apart, and move by up to a third of a window.";
	public static final String SHAPE = "How much the pixels of a window count. square: all alike. circle: those in the largest circle. "
		+ "gaussian: less with the distance from the centre. Circle and gaussian take longer. Default: square.";
	public static final String SENSE = "convolution: one bright pixel becomes the kernel. correlation: the kernel is not flipped. Default: "
		+ "convolution.";
}
