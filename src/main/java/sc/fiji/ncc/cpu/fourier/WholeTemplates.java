package sc.fiji.ncc.cpu.fourier;

import java.util.List;

import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.FrameData;
import sc.fiji.ncc.plan.Pixels;

/** Templates of one size for transforms of whole images. Shared by all threads. */
public final class WholeTemplates {

	private final List<WholeTemplate> templates;
	private final int[] size;
	private final int threads;

	/**
	 * @param coefficients those of each zero-mean template, x fastest
	 * @param threads the number of threads that transform a template or an image
	 */
	public WholeTemplates(final WholeShape shape, final TemplatePlanes planes, final List<double[]> coefficients, final int threads) {
		size = new int[] { planes.width, planes.height };
		this.threads = threads;
		final WholeTransform transform = new WholeTransform(shape);
		templates = coefficients.stream().map(c -> new WholeTemplate(transform, planes.width, planes.height, c, threads)).toList();
	}

	/**
	 * The data of an image, which are computed when they are first needed.
	 *
	 * @param origin the first lag
	 * @param lags the number of lags along x and y
	 */
	public FrameData frame(final Pixels in, final long[] origin, final int[] lags) {
		return new WholeFrame(templates, size, in, origin, lags, threads);
	}
}
