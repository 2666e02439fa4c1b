package sc.fiji.ncc.front;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

/** Which values are black and white. */
class ShownRangeTest {

	private static ShownRange of(final double... values) {
		return ShownRange.of(ArrayImgs.doubles(values, values.length, 1));
	}

	/** ImageJ shows floats, so larger numbers count as infinite. */
	@Test
	void theFiniteValues() {
		assertEquals(new ShownRange(-2, 7), of(3, -2, 7, Double.NaN, Double.NEGATIVE_INFINITY));
		assertEquals(new ShownRange(-2, 7), of(3, -2, 7, 1e39, -1e300));
		assertEquals(new ShownRange(0, 1), of(5, 5, 5), "one value");
		assertEquals(new ShownRange(0, 1), of(Double.NaN), "none");
	}

	@Test
	void theFirstPlane() {
		assertEquals(new ShownRange(1, 4), ShownRange.ofFirstPlane(ArrayImgs.doubles(new double[] { 1, 2, 3, 4, 0, 9, 9, 9 }, 2, 2, 2)));
	}
}
