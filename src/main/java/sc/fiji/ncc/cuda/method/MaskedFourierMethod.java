package sc.fiji.ncc.cuda.method;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.MemoryPool;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.cuda.run.ParallelCopy;
import sc.fiji.ncc.cuda.run.Present;
import sc.fiji.ncc.cuda.run.SentPixels;
import sc.fiji.ncc.cuda.run.TransformMethod;
import sc.fiji.ncc.numeric.Chunks;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.numeric.ZeroMean;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * A template with a mask or weights, windows partly outside the image, missing pixels, or several channels: all sums over pixels by transforms of the
 * whole box in double (cuFFT), two forward and three inverse, and one forward and two inverse for each further channel (Papamakarios, Rizos,
 * Pitsianis, FLCC, eq. 9, without the sums that depend on the template alone). Those come from summed-area tables. If pixels are missing, they are
 * products with the mask of the image: one more forward transform, two inverse, and one inverse for each channel (Padfield, Masked object
 * registration in the Fourier domain, doi:10.1109/TIP.2011.2181402). See {@code masked.cu}. Responses with an estimated error above the tolerance are
 * rechecked.
 */
public final class MaskedFourierMethod implements TransformMethod {

	/** The smallest N·σ² whose errors do not underflow, for pixels of at most about 4. */
	private static final double FLOOR = 0x1p-80;
	/** The sums of a lag over the channels before, in bytes: {@code struct Sums} of the kernels. */
	private static final int BYTES_OF_SUMS = 48;

	/** The spectrum of a channel of the template, and the summed-area tables, or null if pixels may be missing. */
	private record Channel(BoxSpectra coefficients, TemplateTables tables) implements AutoCloseable {

		@Override
		public void close() {
			coefficients.close();
			if (tables != null) tables.close();
		}
	}

	private final CudaDevice device;
	private final PixelType image;
	private final SentPixels sent;
	private final int width;
	private final boolean binary, masked;
	private final double least, total, norm, share, tolerance;
	private final String pixelKind, respond;
	private final WholePixels wholePixels;
	private final RealPixels realPixels;
	/** Of the weights; and, if pixels may be missing, of w·T̂² over all channels, else null. */
	private final BoxSpectra ofWeights, ofEnergies;
	private final List<Channel> channels = new ArrayList<>();
	/** 1 for each pixel with positive weight; null if all pixels of the image are finite numbers. */
	private final DeviceArray counts;
	private final RecheckKernel recheck;

	public MaskedFourierMethod(final CudaDevice device, final Template template, final Sliding problem) {
		template.requireContrast();
		this.device = device;
		image = problem.image();
		sent = SentPixels.of(problem);
		masked = sent.masked();
		width = Math.toIntExact(template.size().get(0));
		binary = Weights.of(template) != Weights.REAL;
		final Weighting weighting = Weighting.of(template);
		final int n = (int) template.size().pixels();
		final double[] zeroMean = ZeroMean.of(template, ParallelCopy.THREADS), w = weighting.values() == null ? new double[n] : weighting.values(),
			energies = new double[n];
		Chunks.each(n, ParallelCopy.THREADS, (chunk, from, until) -> {
			if (weighting.values() == null) Arrays.fill(w, from, until, 1);
			for (int i = from; i < until; i++)
				for (int t = i; t < zeroMean.length; t += n) energies[i] += w[i] * zeroMean[t] * zeroMean[t];
		});
		double all = weighting.values() == null ? n : 0;
		// in their order, as the definition adds them
		for (int i = 0; weighting.values() != null && i < n; i++) all += w[i];
		total = all;
		norm = Chunks.sum(n, ParallelCopy.THREADS, (sum, from, until) -> {
			for (int i = from; i < until; i++) sum.add(energies[i]);
		});
		least = problem.lags().partial() ? problem.lags().minOverlap() * total : 0;
		tolerance = Tolerance.of(problem.precision());
		share = Tolerance.minShare(problem.precision());
		respond = (masked ? "respond_masked_" : "respond_") + (problem.precision().bytes == Float.BYTES ? "float" : "double");
		wholePixels = image.exact() ? new WholePixels(device, image) : null;
		realPixels = image.exact() ? null : new RealPixels(device, image);
		pixelKind = !image.exact() ? realPixels.kind() : image.bytes == 1 ? "bytes" : "shorts";
		this.ofWeights = new BoxSpectra(device, template.size(), w, null);
		ofEnergies = masked ? new BoxSpectra(device, template.size(), energies, null) : null;
		DeviceArray deviceCounts = null;
		try {
			for (int c = 0; c < template.channels(); c++) channels.add(channel(template, w, zeroMean, c, energies));
			deviceCounts = image.integer ? null : DeviceArray.of(device, counting(w));
			recheck = new RecheckKernel(device, template, problem);
		}
		catch (final RuntimeException e) {
			this.ofWeights.close();
			if (ofEnergies != null) ofEnergies.close();
			channels.forEach(Channel::close);
			if (deviceCounts != null) deviceCounts.close();
			throw e;
		}
		counts = deviceCounts;
	}

	private static byte[] counting(final double[] w) {
		final byte[] counting = new byte[w.length];
		for (int i = 0; i < w.length; i++) counting[i] = (byte) (w[i] > 0 ? 1 : 0);
		return counting;
	}

	private Channel channel(final Template template, final double[] w, final double[] zeroMean, final int channel, final double[] energies) {
		final int n = w.length, first = channel * n;
		final boolean weighted = template.weights() != null;
		final double[] coefficients = weighted ? new double[n] : template.channels() == 1 ? zeroMean : Arrays.copyOfRange(zeroMean, first, first + n);
		for (int i = 0; weighted && i < n; i++) coefficients[i] = w[i] * zeroMean[first + i];
		return new Channel(new BoxSpectra(device, template.size(), coefficients, null),
			masked ? null : new TemplateTables(device, template.size(), weighted ? w : null, coefficients, energies));
	}

	@Override
	public int width() {
		return width;
	}

	@Override
	public double bytesPerLag() {
		return 250 + (masked ? 60 : 0) + (channels.size() > 1 ? BYTES_OF_SUMS + 8 * (channels.size() - 1) : 0);
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		final TransformExtents e = TransformExtents.of(box.lags[0] + width - 1, box.rows, box.planes);
		final long complexBytes = 16 * e.complexes();
		// the transforms of the template use the same buffers, so they come first
		ofWeights.prepare(context, e, true);
		for (final Channel c : channels) c.coefficients.prepare(context, e, true);
		if (masked) ofEnergies.prepare(context, e, true);
		final long channelBytes = box.elements() * (wholePixels != null ? image.bytes : realPixels.bytes());
		final CUdeviceptr pixels = wholePixels != null ? wholePixels.enqueue(context, box, raw, sent) : realPixels.enqueue(context, box, raw, sent);
		final CUdeviceptr present = masked ? Present.enqueue(context, box, raw, sent) : new CUdeviceptr();
		final CUdeviceptr spectrum = context.buffer("complexes", complexBytes), same = context.buffer("same complexes", complexBytes);
		final CUdeviceptr ofMask = masked ? context.buffer("mask complexes", complexBytes) : null;
		final CUdeviceptr numerators = context.buffer("reals", 8 * e.reals()), energies = context.buffer("sums 2", 8 * e.reals());
		final Sum[] sums = new Sum[6];
		final Step step = new Step(context, e, box);
		// what was measured in the mask
		CUdeviceptr mask = null;
		if (masked) {
			final CUdeviceptr n = context.buffer("sums 3", 8 * e.reals());
			context.launch(kernel("pad_mask"), padGrid(e), 0, present, box.struct(), e.struct(), n);
			final BoxSpectra.Product product = measured(context, e, n, 3);
			ofWeights.transform(context, e, Cufft.Type.D2Z, n, ofMask);
			mask = product.pixels();
			sums[3] = back(step, ofWeights, product, mask, ofMask, same, 3);
		}
		for (int c = 0; c < channels.size(); c++) {
			final Channel channel = channels.get(c);
			sums[0] = new Sum(product(context, e, 0), numerators);
			final CUdeviceptr measured = sums[0].product.pixels();
			context.launch(kernel("pad_" + pixelKind), padGrid(e), 0, pixels.withByteOffset(c * channelBytes), present, box.struct(), e.struct(), c == 0 ? 1
				: 0, numerators, energies,
				sums[0].product.known());
			ofWeights.measure(context, e, true, numerators, measured, new CUdeviceptr());
			ofWeights.transform(context, e, Cufft.Type.D2Z, numerators, spectrum);
			copy(context, spectrum, same, complexBytes);
			channel.coefficients.back(context, e, box, true, same, measured, sums[0].product, numerators, false);
			sums[1] = back(step, ofWeights, product(context, e, 1), measured, spectrum, null, 1);
			if (masked) sums[4] = back(step, channel.coefficients, product(context, e, 4), mask, ofMask, same, 4);
			if (c == channels.size() - 1) {
				final BoxSpectra.Product ofSquares = measured(context, e, energies, 2);
				ofWeights.transform(context, e, Cufft.Type.D2Z, energies, spectrum);
				sums[2] = back(step, ofWeights, ofSquares, ofSquares.pixels(), spectrum, null, 2);
				if (masked) sums[5] = back(step, ofEnergies, product(context, e, 5), mask, ofMask, same, 5);
				// no response of a window with a NaN or infinite pixel is trusted
				for (int k = 0; k < channels.size() && !image.integer; k++)
					context.launch(device.kernels().get("sums", "mark_" + pixelKind + "_double"), new GpuKernel.Grid((box.rows + 3) / 4, box.planes, 1, 128, 1), 0,
						pixels.withByteOffset(k * channelBytes), box.struct(), counts.pointer(), realPixels.maxDistance(context), energies, e.x(), e.y());
			}
			context.launch(kernel(respond), new GpuKernel.Grid((box.lags[0] + 255) / 256, Math.min(box.lags[1], 1 << 15), box.lags[2], 256, 1), 0, box.struct(),
				struct(context, box, e, c, sums, present), out.struct());
		}
		recheck.enqueue(context, box, raw, out, Integer.MAX_VALUE);
	}

	private static GpuKernel.Grid padGrid(final TransformExtents e) {
		return new GpuKernel.Grid((e.x() + 127) / 128, Math.min(e.y(), 1 << 15), e.z(), 128, 1);
	}

	/** A box that is computed. */
	private record Step(StreamContext context, TransformExtents e, BoxGeometry box) {}

	/** A sum over all windows. */
	private record Sum(BoxSpectra.Product product, CUdeviceptr values) {}

	private static BoxSpectra.Product product(final StreamContext context, final TransformExtents e, final int which) {
		return BoxSpectra.product(context, e, "sum " + which, 1);
	}

	/** The same, with what is measured in its pixels. */
	private BoxSpectra.Product measured(final StreamContext context, final TransformExtents e, final CUdeviceptr reals, final int which) {
		final BoxSpectra.Product product = product(context, e, which);
		ofWeights.measure(context, e, true, reals, product.pixels(), new CUdeviceptr());
		return product;
	}

	/**
	 * The product of two spectra, transformed back.
	 *
	 * @param pixels what was measured in the pixels, their squares or the mask
	 * @param scratch a copy of {@code spectrum} is multiplied there; null if it is multiplied in place
	 */
	private Sum back(final Step step, final BoxSpectra with, final BoxSpectra.Product product, final CUdeviceptr pixels, final CUdeviceptr spectrum,
		final CUdeviceptr scratch, final int which)
	{
		final StreamContext context = step.context;
		final TransformExtents e = step.e;
		if (scratch != null) copy(context, spectrum, scratch, 16 * e.complexes());
		final Sum sum = new Sum(product, context.buffer("sums " + which, 8 * e.reals()));
		with.back(context, e, step.box, true, scratch != null ? scratch : spectrum, pixels, product, sum.values, false);
		return sum;
	}

	private void copy(final StreamContext context, final CUdeviceptr from, final CUdeviceptr to, final long bytes) {
		device.check(JCudaDriver.cuMemcpyDtoDAsync(to, from, bytes, context.stream), "copying a spectrum");
	}

	/** {@code struct Masked} of the kernels. */
	private long[] struct(final StreamContext context, final BoxGeometry box, final TransformExtents e, final int channel, final Sum[] sums,
		final CUdeviceptr present)
	{
		final LongStream.Builder s = LongStream.builder();
		s.add(e.x() | (long) e.y() << 32).add(e.z() | (binary ? 1L << 32 : 0));
		final List<ToLongFunction<Sum>> fields = List.of(a -> Addresses.of(a.values), a -> Addresses.of(a.product.known()), a -> Addresses.of(a.product.result()),
			a -> Addresses.of(a.product.noise()));
		for (final ToLongFunction<Sum> field : fields)
			for (final Sum sum : sums) s.add(sum == null ? 0 : field.applyAsLong(sum));
		final TemplateTables tables = channels.get(channel).tables;
		s.add(tables == null ? 0 : Addresses.of(tables.pointer())).add(Addresses.of(ofWeights.model(true))).add(Addresses.of(present));
		s.add(channels.size() == 1 ? 0 : Addresses.of(context.buffer("sums of channels", (long) BYTES_OF_SUMS * box.count())));
		for (final double v : new double[] { least, total, norm, SpectralMethod.eps(true), share, tolerance, FLOOR }) s.add(bits(v));
		s.add((channel == 0 ? 1 : 0) | (channel == channels.size() - 1 ? 1L << 32 : 0));
		return s.build().toArray();
	}

	private static long bits(final double v) {
		return Double.doubleToRawLongBits(v);
	}

	private GpuKernel kernel(final String function) {
		return device.kernels().get("masked", function);
	}

	@Override
	public void close() {
		ofWeights.close();
		if (ofEnergies != null) ofEnergies.close();
		channels.forEach(Channel::close);
		if (counts != null) counts.close();
		recheck.close();
	}

	/**
	 * Summed-area tables of arrays over a template (Crow 1984), one after the other, on the GPU: {@code (width + 1)·(height + 1)·(depth + 1)} numbers
	 * each, x fastest. Each sum is compensated and rounded once, because the difference of two sums may be much smaller than the sums. See {@code
	 * masked.cu}.
	 */
	static final class TemplateTables implements AutoCloseable {

		private static final int THREADS = 128;

		private final CudaDevice device;
		private final MemoryPool.DeviceBlock block;

		/**
		 * Computes the tables.
		 *
		 * @param size the extents of the template
		 * @param values for each table one number per pixel; null for ones
		 */
		TemplateTables(final CudaDevice device, final Size size, final double[]... values) {
			this.device = device;
			final long cells = (size.get(0) + 1) * (size.get(1) + 1) * (size.get(2) + 1);
			block = device.memory().onDevice(values.length * Double.BYTES * cells);
			try (StreamContext context = new StreamContext(device)) {
				final CUdeviceptr lost = context.buffer("lost", Double.BYTES * cells);
				for (int t = 0; t < values.length; t++)
					try (DeviceArray from = values[t] == null ? null : DeviceArray.of(device, values[t])) {
						enqueue(context, size, from == null ? new CUdeviceptr() : from.pointer(), pointer().withByteOffset(t * Double.BYTES * cells), lost);
						context.await(Monitor.NONE);
					}
			}
			catch (final RuntimeException e) {
				close();
				throw e;
			}
		}

		private void enqueue(final StreamContext context, final Size size, final CUdeviceptr values, final CUdeviceptr table, final CUdeviceptr lost) {
			final int width = (int) size.get(0), height = (int) size.get(1), depth = (int) size.get(2), columns = width + 1, rows = height + 1, plane = columns * rows;
			context.launch(device.kernels().get("masked", "table_values"), new GpuKernel.Grid((columns + THREADS - 1) / THREADS, Math.min(rows, 1 << 15),
				depth + 1, THREADS, 1), 0, values, width, height, depth, table, lost);
			// along x, y and z
			sums(context, new Lines(rows * (depth + 1), columns, 1, 1, columns), false, table, lost);
			sums(context, new Lines(columns * (depth + 1), rows, columns, columns, plane), false, table, lost);
			sums(context, new Lines(plane, depth + 1, plane, plane, 0), true, table, lost);
		}

		/**
		 * Parallel lines of a table.
		 *
		 * @param lines the number of lines
		 * @param count the number of values of a line
		 * @param within the number of lines that begin beside each other
		 * @param step the distance between two values of a line
		 * @param between the distance between two groups of lines that begin beside each other
		 */
		private record Lines(int lines, int count, int within, int step, int between) {}

		private void sums(final StreamContext context, final Lines l, final boolean last, final CUdeviceptr table, final CUdeviceptr lost) {
			// few threads of a block: a line takes long, and all multiprocessors should have some
			context.launch(device.kernels().get("masked", "table_sums"), new GpuKernel.Grid((l.lines + 31) / 32, 1, 1, 32, 1), 0, l.lines, l.count, l.within,
				l.step, l.between, last ? 1 : 0, table, lost);
		}

		CUdeviceptr pointer() {
			return block.pointer();
		}

		@Override
		public void close() {
			device.memory().release(block);
		}
	}
}
