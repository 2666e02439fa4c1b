package sc.fiji.ncc.stitch;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.PixelType;

/**
 * How tiles become a mosaic.
 *
 * @param blending which tile counts where several overlap
 * @param interpolation how pixels between the pixels are computed; integer: tiles move by whole pixels
 * @param outside the value of pixels that no tile shows
 */
public record Fusion(Blending blending, Interpolation interpolation, double outside) {

	/** Linear blending, cubic interpolation, black outside. */
	public static final Fusion DEFAULT = new Fusion(Blending.LINEAR, Interpolation.CUBIC, 0);

	/** Which tile counts where several overlap. */
	public enum Blending {
		/** The first tile. */
		FIRST,
		/** The largest value. */
		MAX,
		/** The mean of all tiles. */
		MEAN,
		/** The mean, weighted by the distance to the border of the tile. */
		LINEAR
	}

	public Fusion {
		Given.nonNull(blending, "blending");
		Given.nonNull(interpolation, "interpolation");
	}

	/** @throws IllegalArgumentException if pixels of the type cannot have the value outside */
	public void require(final PixelType type) {
		Given.nonNull(type, "pixel type");
		if (!type.integer || outside == Math.rint(outside) && outside >= type.min && outside <= type.max) return;
		throw new IllegalArgumentException("pixels of " + type + " cannot be " + (Double.isNaN(outside) ? "NaN" : Double.toString(outside).replaceAll("\\.0$", ""))
			+ " where no tile is: give a whole number from " + (long) type.min + " to " + (long) type.max);
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
