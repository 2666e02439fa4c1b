package sc.fiji.ncc.command.program;

/** The tooltips of parameters that several commands with a results table have. */
public final class TableParameters {

	private TableParameters() {}

	public static final String APPEND = "On: keeps the rows of the table. Off: replaces them. Default: off.";
	public static final String ROIS = "Without windows there is no ROI Manager. Default: off.";
	public static final String FALSE_ALARMS = "Above 0: the expected number of false matches in the whole search, such as 0.05. The minimum score "
		+ "follows from it. Default: "
		+ "0; with the minimum score auto, 0.05.";
	public static final String MAX_MATCHES = "Keeps the matches with the highest scores in each slice, channel and frame. Default: 0, all.";
	public static final String COMPETE = "On: where matches of several templates overlap, only the best is kept. Off: templates do not affect each "
		+ "other. Default: on.";
	public static final String REFINE = "Refines the subpixel positions by least squares on the pixels, and adds their standard deviations to the table. "
		+ "Default: off.";
}
