package sc.fiji.ncc.cuda.method;

import java.util.List;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.cuda.run.DeviceMaps;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.cuda.run.TransformMethod;

/**
 * Several templates of one size by {@link FourierMethod}, in planes whose transforms are done in passes, in float: each kernel computes all
 * of them. So they share what they read of the image, and there are fewer launches. If the estimates of too many responses are above the
 * tolerance, the templates are computed one by one in double.
 */
public final class FourierBank implements TransformMethod {

	/** The largest number of templates. */
	public static final int MOST = FourierPasses.TOGETHER;

	private final List<FourierMethod> templates;

	/** @param templates of one size, which are closed with this object */
	public FourierBank(final List<FourierMethod> templates) {
		this.templates = List.copyOf(templates);
	}

	@Override
	public int templates() {
		return templates.size();
	}

	@Override
	public int width() {
		return templates.get(0).width();
	}

	@Override
	public double bytesPerLag() {
		return bytesPerLag(templates.size());
	}

	/** The bytes of the GPU's memory for a lag: of each template, a spectrum, a response and the index of a suspect. */
	public static double bytesPerLag(final int templates) {
		return 80 + 20.0 * templates;
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		enqueue(context, box, raw, out, 0, templates.size());
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int first,
		final int count)
	{
		final List<FourierMethod> some = templates.subList(first, first + count);
		final FourierMethod one = some.get(0);
		one.respond(context, box, one.pixels(context, box, raw), out, some);
		one.recheck.enqueue(context, box, raw, out, most(box, count), some.stream().map(t -> t.recheck).toList());
	}

	/** The largest number of suspects that are computed by the definition. */
	private static int most(final BoxGeometry box, final int count) {
		return count * SpectralMethod.few(box);
	}

	@Override
	public boolean fallBack(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int suspects) {
		return fallBack(context, box, raw, out, suspects, 0, templates.size());
	}

	@Override
	public boolean fallBack(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int suspects,
		final int first, final int count)
	{
		if (suspects <= most(box, count)) return false;
		context.clear(out.counts(), 4);
		for (int t = 0; t < count; t++) templates.get(first + t).inDouble(context, box, raw,
			out.after(4L * t * DeviceMaps.elements(box.lags, mapPitch(box.lags[0]))));
		return true;
	}

	@Override
	public void close() {
		templates.forEach(CudaMethod::close);
	}
}
