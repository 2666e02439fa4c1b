package sc.fiji.ncc.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Weights;

/** The predicted times of {@code cuda-direct} beside times measured on an H200. Needs no GPU. */
class CudaDirectCostTest {

	private static final int IMAGE = 2000, PROCESSORS = 132;
	/** A prediction is between the measured time divided by this factor and the measured time multiplied by it. */
	private static final double FACTOR = 1.25;

	private static double predicted(final PixelType type, final int side) {
		final Size template = Size.of(side, side);
		final int lags = IMAGE - side + 1;
		return new CudaDirect().deviceSeconds(new CudaCost(null, PROCESSORS, 1, Constants.SHIPPED), template,
			Problems.correlation(type, type, Size.of(IMAGE, IMAGE), List.of(template), Weights.NONE, Lags.inside(Size.of(lags, lags)), 1));
	}

	@Test
	void predictionsAreNearMeasuredTimes() throws IOException {
		final List<Map<String, String>> rows = DocumentTable.read(Path.of("src", "test", "resources", "sc", "fiji", "ncc", "cuda", "direct-large.csv")).rows();
		assertEquals(10, rows.size());
		for (final Map<String, String> row : rows) {
			final double ratio = 1e3 * predicted(PixelType.valueOf(row.get("type")), Integer.parseInt(row.get("side"))) / Double.parseDouble(row.get("device_ms"));
			assertTrue(ratio > 1 / FACTOR && ratio < FACTOR, row + ": predicted/measured " + ratio);
		}
	}
}
