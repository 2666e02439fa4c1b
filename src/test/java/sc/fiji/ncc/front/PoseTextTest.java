package sc.fiji.ncc.front;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;

class PoseTextTest {

	@Test
	void anglesAreRangesOrNumbers() {
		assertArrayEquals(new double[] { 0, 90, 180, 270 }, PoseText.angles("", "0:360:90"));
		assertArrayEquals(new double[] { -180, -90, 0, 90 }, PoseText.angles("", "-180:180:90"));
		assertArrayEquals(new double[] { 10, 15, 20 }, PoseText.angles("", "10:20:5"));
		assertArrayEquals(new double[] { 10, 17 }, PoseText.angles("", "10:20:7"));
		assertArrayEquals(new double[] { 0, 33.5 }, PoseText.angles("", "0, 33.5"));
		assertEquals(3600, PoseText.angles("", "0:360:0.1").length);
		assertEquals(90, PoseText.angles("", "0:720:4").length);
		assertNull(PoseText.angles("", "auto"));
	}

	@Test
	void scalesAreGeometric() {
		final double[] scales = PoseText.scales("", "0.8:1.25:1.25");
		assertArrayEquals(new double[] { 0.8, 1, 1.25 }, scales, 1e-12);
		assertArrayEquals(new double[] { 1 }, PoseText.scales("", "1"));
	}

	@Test
	void rotationsAreQuaternionsOrEulerAngles() {
		final List<double[]> all = PoseText.rotations("file", List.of("# turns", "", "1 0 0 0", "0,0,0,1", "180 0 0"));
		assertEquals(3, all.size());
		assertArrayEquals(all.get(1), all.get(2), 1e-12);
		assertNull(PoseText.uniform("", "turns.txt"));
		assertTrue(PoseText.uniform("", "uniform:60").size() >= 12 * 6);
	}

	@Test
	void mistakesAreNamed() {
		refuses("--angles 0:10", "2 parts", () -> PoseText.angles("--angles ", "0:10"));
		refuses("--angles x", "'x' is not a number", () -> PoseText.angles("--angles ", "x"));
		refuses("--angles 0:1:-1", "-1.0", () -> PoseText.angles("--angles ", "0:1:-1"));
		refuses("--angles 0:360:0.000001", "more than", () -> PoseText.angles("--angles ", "0:360:0.000001"));
		refuses("f line 2", "2 numbers", () -> PoseText.rotations("f", List.of("1 0 0 0", "1 2")));
		refuses("f", "no rotation", () -> PoseText.rotations("f", List.of("# none")));
	}

	private static void refuses(final String start, final String part, final Runnable call) {
		final String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
		assertTrue(message.startsWith(start) && message.contains(part), message);
	}
}
