package sc.fiji.ncc.front;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers in tables: as many digits as mean something. Java results have all digits. */
public final class ShownNumber {

	/** Decimals of positions, shifts and motions in pixels and of angles in degrees; the smallest measured error is 0.0011 pixel. */
	public static final int POSITION = 4;
	/** Decimals of scores, shares, scales, components of rotations, standard deviations and correlations. */
	public static final int SCORE = 6;
	/** Three significant digits, for probabilities and expected numbers. */
	public static final int PROBABILITY = -3;

	private ShownNumber() {}

	/**
	 * Decimals of a length in the unit of an image: those of a position in pixels, and more if the pixel is smaller than the unit.
	 *
	 * @param pixel the size of a pixel in the unit
	 */
	public static int length(final double pixel) {
		return pixel > 0 ? POSITION + (int) Math.max(0, Math.ceil(-Math.log10(pixel))) : POSITION;
	}

	/**
	 * The number that a table has in place of another one.
	 *
	 * @param decimals the number of decimals; a negative number means so many significant digits
	 * @return the rounded number, never -0; NaN and infinite numbers as they are
	 */
	public static double of(final double number, final int decimals) {
		if (!Double.isFinite(number)) return number;
		final BigDecimal exact = new BigDecimal(number);
		return (decimals < 0 ? exact.round(new MathContext(-decimals)) : exact.setScale(decimals, RoundingMode.HALF_EVEN)).doubleValue();
	}

	/** The same as a text, without zeros at the end. */
	public static String text(final double number, final int decimals) {
		final double shown = of(number, decimals);
		if (!Double.isFinite(shown)) return Double.toString(shown);
		final BigDecimal digits = BigDecimal.valueOf(shown).stripTrailingZeros();
		return digits.scale() < 0 ? digits.toPlainString() : digits.toString();
	}
}
