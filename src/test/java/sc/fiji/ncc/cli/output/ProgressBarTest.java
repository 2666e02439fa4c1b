package sc.fiji.ncc.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

import org.junit.jupiter.api.Test;

class ProgressBarTest {

	private long now;
	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	private ProgressBar progress(final boolean visible) {
		return new ProgressBar(new PrintStream(bytes, true), visible, () -> now > 5_000_000_000L, () -> now);
	}

	@Test
	void theBarGrowsAndGoes() {
		try (ProgressBar p = progress(true)) {
			p.total(100);
			p.done(10);
			assertEquals("", bytes.toString());
			now = 1_000_000_000;
			p.done(15);
			assertTrue(bytes.toString().endsWith("25 %, 3 s left "), bytes.toString());
			assertEquals(10, bytes.toString().chars().filter(c -> c == '#').count());
			final int drawn = bytes.size();
			p.done(1);
			assertEquals(drawn, bytes.size());
			assertFalse(p.canceled());
			now = 6_000_000_000L;
			p.done(74);
			assertTrue(bytes.toString().endsWith("100 %, 0 s left "), bytes.toString());
			assertTrue(p.canceled());
		}
		assertTrue(bytes.toString().endsWith(" \r"));
	}

	@Test
	void withoutATerminalThereIsNone() {
		try (ProgressBar p = progress(false)) {
			p.total(10);
			now = 3_000_000_000L;
			p.done(5);
		}
		assertEquals(0, bytes.size());
	}
}
