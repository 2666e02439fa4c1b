package sc.fiji.ncc.cuda.method;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

class CentredTemplateTest {

	@Test
	void aboutTheMiddleOfTheType() {
		final CentredTemplate bytes = CentredTemplate.of(new Template(Size.of(2, 2), PixelType.U8, new double[] { 0, 128, 130, 255 }, null));
		assertArrayEquals(new int[] { -128, 0, 2, 127 }, bytes.values());
		assertEquals(1, bytes.sum());
		assertEquals(128 * 128 + 4 + 127 * 127, bytes.energy());
		assertEquals(Math.sqrt(4.0 * bytes.energy() - 1), bytes.norm());
		final CentredTemplate signed = CentredTemplate.of(new Template(Size.of(2, 1), PixelType.S16, new double[] { -32768, 32767 }, null));
		assertArrayEquals(new int[] { -32768, 32767 }, signed.values());
		assertEquals(65535.0, signed.norm());
	}
}
