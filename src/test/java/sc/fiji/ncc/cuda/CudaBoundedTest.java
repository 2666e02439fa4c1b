package sc.fiji.ncc.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
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

	private static Optional<String> refusedOfAll(final PixelType type, final int channels, final BoundedBank.Basis basis, final long... size) {
		final long[] box = new long[size.length];
		Arrays.fill(box, 9);
		final BoundedBank.Family family = new BoundedBank.Family(Size.of(box), 50, 12, basis);
		return new CudaPoses().unsupported(new BoundedBank(type, Size.of(size), channels, List.of(family), 0.7, false, 1));
	}

	@Test
	void everyPoseIsForVolumesOfOneChannelWithoutABasis() {
		assertEquals(Optional.empty(), refusedOfAll(PixelType.U16, 1, null, 40, 40, 40));
		assertEquals(Optional.of("its transforms support volumes only"), refusedOfAll(PixelType.U16, 1, null, 40, 40));
		assertEquals(Optional.of("it correlates every member, not a basis"), refusedOfAll(PixelType.U16, 1, new BoundedBank.Basis(4, 0.1, List.of(), 0, 0), 40,
			40, 40));
		assertEquals(Optional.of("its kernels support one channel, not 3"), refusedOfAll(PixelType.U16, 3, null, 40, 40, 40));
		assertEquals(Optional.of("its kernels support pixels of 8 and 16 bits and floats, not F64"), refusedOfAll(PixelType.F64, 1, null, 40, 40, 40));
	}
}
