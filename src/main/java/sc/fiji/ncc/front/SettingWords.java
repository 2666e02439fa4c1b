package sc.fiji.ncc.front;

import sc.fiji.ncc.Registration;

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
	public static final String CHANNELS = "The channel to measure on, counted from 1. Several channels, as in 1,2: their sum, each divided by its "
		+ "standard deviation. joint: all channels. ";
	public static final String MAX_SHIFT = "The largest shift between two frames that are compared, in pixels, in both directions: one number for all "
		+ "dimensions, x,y or x,y,z. A small maximum shift saves time. Default: as the overlap allows.";
	public static final String MIN_OVERLAP = "The smallest overlap, as a share of the largest possible overlap, above 0 and up to 1. Default: "
		+ Registration.MIN_OVERLAP + ".";
	public static final String INTERPOLATION = "How pixels between the pixels are computed. integer: shifts are rounded to whole pixels, and no value changes. "
		+ "linear, cubic, lanczos: from 2, 4 or 6 pixels along each dimension. fourier: from all pixels of the frame, slower. "
		+ "Values beyond the range of the pixel type are clipped. Default: cubic.";
	public static final String MEASURED_FRAME = "The frame to measure on if tiles have several, counted from 1. mean: the mean of all frames. each: each frame "
		+ "has positions of its own. The mosaic has all frames. Default: 1.";
	public static final String STAGE_ERROR = "How far the distance of two neighbours can be from the expected one, in pixels, in both directions: one "
		+ "number for all dimensions, x,y or x,y,z. Default: estimated from the first links, up to a tenth of a tile.";
	public static final String LINK_ALARMS = "A link counts if fewer peaks as high as its own are expected by chance. Default: 0.001.";
	public static final String REJECTION = "The probability that any good link is taken for one that contradicts the others. Default: 0.001.";
	public static final String DARK = "The value of a pixel without light, for the flat field. Default: 0.";
	public static final String WINDOW = "The size of a window in pixels: one number for all dimensions, w,h or w,h,d. Default: 32.";
	public static final String SPACING = "The distance of neighbouring windows in pixels: one number for all dimensions, x,y or x,y,z. Default: half a window.";
	public static final String MAX_MOTION = "The largest motion between two frames in pixels, in both directions: one number for all dimensions, x,y or "
		+ "x,y,z. Default: a third of a window.";
	public static final String PASSES = "The number of passes. The first of several has windows of twice the size. Later ones compare windows that follow the "
		+ "motion so far. Default: 3.";
	public static final String LEAST_SCORE = "The smallest score of a valid vector, from -1 to 1. Default: 0.2.";
}
