package sc.fiji.ncc.sink;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.result.NccException;

/** A map that does not fit into the heap is refused with its size and the size of the heap. */
class MapTooLargeTest {

	/** One array of 17 GB in double precision. */
	private static final long SIDE = 46_300;

	@Test
	void theMessageSaysBothSizes() {
		final Img<UnsignedByteType> template = ArrayImgs.unsignedBytes(new byte[] { 1, 2, 3, 4 }, 2, 2);
		// periodic: it takes no memory
		final RandomAccessibleInterval<UnsignedByteType> image = Views.interval(Views.extendPeriodic(template), FinalInterval.createMinSize(0, 0, SIDE, SIDE));
		final NccException e = assertThrows(NccException.class, () -> NormalizedCrossCorrelation.of(template).precision(Precision.DOUBLE).correlate(image));
		assertTrue(e.getMessage().startsWith("not enough memory for a map of 46299x46299 in double precision (17148 MB) on a Java heap of ")
			&& e.getMessage().contains("-Xmx"), e.getMessage());
	}
}
