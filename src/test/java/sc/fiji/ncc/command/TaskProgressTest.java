package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TaskProgressTest {

	@Test
	void theTimeLeftIsThatOfTheRestAtTheSamePace() {
		assertEquals("30 s left", TaskProgress.left(10, 0.25));
		assertEquals("5 min left", TaskProgress.left(100, 0.25));
		assertEquals("3 h left", TaskProgress.left(3600, 0.25));
		assertEquals("0 s left", TaskProgress.left(10, 1));
	}

	@Test
	void theFirstSecondSaysLittle() {
		assertEquals("", TaskProgress.left(0.9, 0.5));
		assertEquals("", TaskProgress.left(10, 0));
	}
}
