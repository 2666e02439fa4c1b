package sc.fiji.ncc.cpu.ncc;

import java.util.List;

import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.window.FrameData;
import sc.fiji.ncc.cpu.window.MaskSums;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.plan.Pixels;

/**
 * The numerators of a batch of templates: those that compute a tile first, and those of its fallback. Shared by all threads.
 *
 * @param <N> the type of the primary numerators
 */
abstract class NumeratorMethod<N extends Numerator> {

	/** The maximum number of lags of a tile along x, y and z. */
	final int[] maxLags;
	/** The lags along x, y and z of which a tile is a multiple: see {@link TileMethod#unit}. */
	final int[] unit;

	NumeratorMethod(final int[] maxLags, final int[] unit) {
		this.maxLags = maxLags;
		this.unit = unit;
	}

	/** Creates the primary numerator of a thread. */
	abstract N primary();

	/** Changes a primary numerator of this kind, made for other templates of the same size and weights, to these templates. */
	abstract void exchange(N primary);

	/** Creates the fallback numerator of a thread: in double, for tiles of one z. */
	abstract Numerator fallback();

	/** The methods of all channels. */
	List<? extends NumeratorMethod<?>> channels() {
		return List.of(this);
	}

	/** Creates the sums under the image's mask of a thread; for problems with missing pixels. */
	MaskSums maskSums() {
		throw new UnsupportedOperationException();
	}

	/** Changes sums of {@link #maskSums}, made for other templates of the same size and weights, to these templates. */
	void exchange(final MaskSums sums) {
		throw new UnsupportedOperationException();
	}

	/** Creates those of a fallback. */
	MaskSums fallbackMaskSums() {
		return maskSums();
	}

	/** Whether the primary numerator computes the moments, too, with estimates of their errors. */
	boolean transformsMoments() {
		return false;
	}

	/** As {@link TileMethod#frame}. */
	FrameData frame(final Pixels in, final long[] origin, final int[] size) {
		return null;
	}

	/** As {@link TileMethod#oneByOne}. */
	boolean oneByOne() {
		return false;
	}

	/** The bytes that the spectra of a tile of so many lags take. */
	long spectraBytes(final int[] size) {
		return 0;
	}
}
