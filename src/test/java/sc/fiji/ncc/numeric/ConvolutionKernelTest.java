package sc.fiji.ncc.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.Arrays;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

class ConvolutionKernelTest {

	/** Additions of equal values all round alike: without compensation this sum is wrong by 7e-13, seven times the tolerance of a convolution in double. */
	@Test
	void theSumOfManyEqualValuesIsExact() {
		final double[] values = new double[220 * 220];
		Arrays.fill(values, 1.0 / values.length);
		final double exact = new BigDecimal(values[0]).multiply(BigDecimal.valueOf(values.length)).doubleValue();
		assertEquals(exact, ConvolutionKernel.of(new Template(Size.of(220, 220), PixelType.F64, values, null)).sum(), Math.ulp(exact));
	}
}
