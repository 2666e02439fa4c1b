package sc.fiji.ncc.gain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;

import org.junit.jupiter.api.Test;

/** What Devices says about the Vector API. */
class VectorGainTest {

	@Test
	void anotherJvmMeasures() throws IOException {
		final double seconds = VectorGain.seconds(List.of());
		assertTrue(seconds > 1e-5 && seconds < 10, seconds + " s");
		assertThrows(IOException.class, () -> VectorGain.seconds(List.of("--no-such-option")));
	}

	@Test
	void oneLineSaysWhatToDo() {
		assertEquals("used", VectorGain.describe(true));
		final String line = VectorGain.describe(false);
		assertEquals(1, line.lines().count());
		assertTrue(line.contains("--add-modules=jdk.incubator.vector"), line);
		assertTrue(line.contains("fiji.toml") && line.contains("ImageJ.cfg"), line);
		if (Runtime.version().feature() >= 21) assertTrue(line.contains("times as fast"), line);
	}
}
