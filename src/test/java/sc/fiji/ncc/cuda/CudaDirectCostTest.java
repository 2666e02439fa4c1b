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
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
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

	/** The bytes of the responses that come back count: 4, 2 or 1. */
	@Test
	void quantizedMapsCostLess() {
		final Size lags = Size.of(IMAGE - 31, IMAGE - 31);
		final Correlation maps = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(IMAGE, IMAGE), List.of(Size.of(32, 32)), Weights.NONE,
			Lags.inside(lags), 1);
		final double[] seconds = new double[3];
		for (final ResponseType type : ResponseType.values()) {
			final Correlation p = new Correlation(maps.windows(), maps.weights(), 1, Result.map(type));
			// two GPUs that compute in no time: the copies remain
			seconds[type.ordinal()] = new CudaCost(null, PROCESSORS, 1, Constants.SHIPPED).spread(new Cost(0, 0, 0, 0), p, 2).seconds();
		}
		assertTrue(seconds[2] > 0 && seconds[1] > seconds[2]);
		assertEquals(2 * (seconds[1] - seconds[2]), seconds[0] - seconds[1], 1e-9);
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
