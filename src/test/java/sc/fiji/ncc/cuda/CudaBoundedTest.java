package sc.fiji.ncc.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;

/** What bounded banks on a GPU do not support. */
class CudaBoundedTest {

	private static Optional<String> refused(final int members) {
		final BoundedBank.Family family = new BoundedBank.Family(Size.of(256, 256), 1 << 16, members, new BoundedBank.Basis(24, 0.1, List.of(), 0, 0));
		return new CudaBounded().unsupported(new BoundedBank(PixelType.F32, Size.of(2000, 2000), 1, List.of(family), 0.7, false, 1));
	}

	@Test
	void theMembersOfAFamilyFitInAnArray() {
		assertEquals(Optional.empty(), refused((1 << 15) - 1));
		assertEquals(Optional.of("its kernels support 2147483647 values of all members of a family, not 2147483648"), refused(1 << 15));
	}
}
