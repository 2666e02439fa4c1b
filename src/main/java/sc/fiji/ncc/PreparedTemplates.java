package sc.fiji.ncc;

import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.RealType;

import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.run.KeptExecutions;
import sc.fiji.ncc.run.SlidingCall;

/**
 * Templates that are read, transformed and kept on their device, for images of one size and pixel type. A call then takes no time for preparation, as
 * FLCC's plan, execute and destroy do.
 *
 * <pre>
 * try (PreparedTemplates prepared = NormalizedCrossCorrelation.of(template).prepare(PixelType.U8, Size.of(2000, 2000))) {
 * 	Response response = prepared.correlate(image);
 * }
 * </pre>
 *
 * The planner chooses the algorithm for many images. Responses of algorithms in integers are identical to those without preparation, others
 * within the tolerance. If the device fails, the next candidate prepares the templates and continues. {@link
 * TemplateMatching#with(PreparedTemplates)} finds matches. Several threads can use prepared templates: their calls run one after another. The
 * counterpart for one image and many templates is {@link PreparedImage}.
 */
public final class PreparedTemplates implements AutoCloseable {

	private final SlidingCall call;
	private final KeptExecutions executions;
	private final List<Ranking> rankings;
	private final String text;

	/**
	 * @param call a call that keeps its executions
	 * @param rankings the candidates for maps
	 * @param text the correlation in words
	 */
	PreparedTemplates(final SlidingCall call, final KeptExecutions executions, final List<Ranking> rankings, final String text) {
		this.call = call;
		this.executions = executions;
		this.rankings = rankings;
		this.text = text;
	}

	/** The call, which keeps the executions of this object. */
	SlidingCall call() {
		return call;
	}

	/**
	 * Correlates the templates with an image, as {@link NormalizedCrossCorrelation#correlate}.
	 *
	 * @throws IllegalArgumentException as there; and if the image has another size or pixel type than the templates were prepared for, or the
	 *         prepared templates are closed
	 */
	public Response correlate(final RandomAccessibleInterval<?> image) {
		return call.computeMaps(Given.nonNull(image, "image"), null);
	}

	/**
	 * Correlates as {@link #correlate(RandomAccessibleInterval)} into images of the caller, as
	 * {@link NormalizedCrossCorrelation#correlate(RandomAccessibleInterval, List)}.
	 */
	public <T extends RealType<T>> Response correlate(final RandomAccessibleInterval<?> image, final List<? extends Img<T>> into) {
		return call.computeMaps(Given.nonNull(image, "image"), Given.list(into, "map"));
	}

	/**
	 * Computes the best template of each lag, as {@link NormalizedCrossCorrelation#best}. Throws as {@link #correlate(RandomAccessibleInterval)}. The first call
	 * prepares the templates for this kind of result.
	 */
	public Best best(final RandomAccessibleInterval<?> image) {
		return call.best(Given.nonNull(image, "image"));
	}

	/** The candidates for maps, for each set of templates that are computed together. The first one prepared the templates. */
	public List<Ranking> explain() {
		return rankings;
	}

	/** Releases the memory. A second call does nothing. */
	@Override
	public void close() {
		executions.close();
	}

	/** Such as {@code prepared for U8 images of 2000x2000: normalized cross-correlation of a 32x32 template, valid positions}. */
	@Override
	public String toString() {
		return executions + ": " + text;
	}
}
