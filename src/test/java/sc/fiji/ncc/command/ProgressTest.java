package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ProgressTest {

	@Test
	void theTimeLeftIsThatOfTheRestAtTheSamePace() {
		assertEquals("30 s left", Progress.left(10, 0.25));
		assertEquals("5 min left", Progress.left(100, 0.25));
		assertEquals("3 h left", Progress.left(3600, 0.25));
		assertEquals("0 s left", Progress.left(10, 1));
	}

	@Test
	void theFirstSecondSaysLittle() {
		assertEquals("", Progress.left(0.9, 0.5));
		assertEquals("", Progress.left(10, 0));
	}
}
