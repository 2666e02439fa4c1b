package sc.fiji.ncc.option;

import net.imglib2.Interval;

import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.ResponseType;

/**
 * Which responses an operation computes that slides templates or kernels over an image.
 *
 * @param extent which lags are computed
 * @param border the pixels outside the image; null for the default of the operation
 * @param undefined the value of an undefined response
 * @param search the positions of the responses, in pixels relative to the image's first pixel; null for all
 * @param maxLags the maximum number of lags in one box, which is computed in one piece
 * @param responseType the type of the responses in maps
 * @param heap the bytes of the heap that limits the boxes in flight, for maps that are written to stores; at least 1
 */
public record SlidingSettings(Extent extent, Border border, Undefined undefined, Interval search, ResponseType responseType, long maxLags, long heap) {

	/** Default of {@link #maxLags}. A box is the part that is repeated if a device fails. */
	public static final long MAX_LAGS = 1L << 26;

	public SlidingSettings {
		Given.nonNull(extent, "extent");
		Given.nonNull(undefined, "value of undefined responses");
		Given.nonNull(responseType, "type of responses");
		Range.COUNT.of("the heap in bytes is ", heap);
	}

	/** All responses as floating-point numbers, the operation's default border, and the heap of this process. */
	public SlidingSettings(final Extent extent, final Undefined undefined) {
		this(extent, null, undefined, null, ResponseType.FLOAT, MAX_LAGS, Runtime.getRuntime().maxMemory());
	}
}
