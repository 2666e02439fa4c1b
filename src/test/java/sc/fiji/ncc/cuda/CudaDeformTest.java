package sc.fiji.ncc.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Size;

/** What {@code cuda-deform} takes. Needs no GPU. */
class CudaDeformTest {

	private static String reason(final long width, final long height, final long window) {
		return new CudaDeform().unsupported(new Deformations(Size.of(width, height), Size.of(window, window), 1)).orElse("");
	}

	@Test
	void whatIsNotSupportedIsSaid() {
		assertEquals("", reason(2048, 2048, 64));
		assertEquals("", reason(12_000, 12_000, 32));
		assertEquals("its kernels support at most 65535 rows, with half a window around the frame, not 65540", reason(400, 65_530, 8));
		assertEquals("", reason(524_288, 16, 8));
		assertEquals("its kernels support at most 524288 columns, not 524289", reason(524_289, 16, 8));
		assertEquals("its kernels support frames of at most 268435455 pixels, not 20000x20000", reason(20_000, 20_000, 64));
		// a cell of one pixel where windows of an odd size overlap
		assertEquals("windows of 17x17 in a frame of 12000x12000 have sums of 2305 MB, and at most 2013 MB come back at once",
			reason(12_000, 12_000, 17));
	}
}
