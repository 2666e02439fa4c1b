package sc.fiji.ncc.run;

import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Ranking;

/** What a stream of frames needs from the operation that it carries out. The settings do not change during a stream. */
public interface FrameOperation {

	/** The number of dimensions of a frame. */
	int dimensions();

	/** What slides over the frames, in messages: template or kernel. */
	String noun();

	int threads();

	/** The largest number of lags in one box. */
	long maxLags();

	Monitor monitor();

	List<Template> templates();

	/** Where the responses to each template lie. */
	List<ResponseLayout> layouts(RandomAccessibleInterval<?> frame);

	/**
	 * The candidates for a bank of templates, best first.
	 *
	 * @param frames the expected number of frames like this one
	 */
	Ranking rank(RandomAccessibleInterval<?> frame, TemplateBank bank, BoxGrid boxes, long frames, Result kind);
}
