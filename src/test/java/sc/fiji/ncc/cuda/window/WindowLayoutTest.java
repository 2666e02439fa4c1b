package sc.fiji.ncc.cuda.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

/** The numbers that the host and the kernels of windows share are equal. No GPU is needed. */
class WindowLayoutTest {

	/** The value of a macro of a kernel file. */
	private static int defined(final String file, final String name) throws IOException {
		try (InputStream in = WindowLayout.class.getResourceAsStream("/sc/fiji/ncc/cuda/" + file)) {
			assertNotNull(in, file);
			final Matcher m = Pattern.compile("(?m)^#define " + name + " (\\d+)\\b").matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
			assertTrue(m.find(), () -> name + " in " + file);
			return Integer.parseInt(m.group(1));
		}
	}

	private static int ofHost(final Class<?> where, final String name) throws ReflectiveOperationException {
		final Field field = where.getDeclaredField(name);
		field.setAccessible(true);
		return field.getInt(null);
	}

	@Test
	void numbersAreThoseOfTheKernels() throws IOException, ReflectiveOperationException {
		for (final String name : new String[] { "ACROSS", "DOWN" }) assertEquals(defined("patches.cu", name), ofHost(WindowLayout.class, name), name);
		for (final String name : new String[] { "AROUND", "ZEROS" }) assertEquals(defined("windowfit.cu", name), ofHost(WindowLayout.class, name), name);
		for (final String name : new String[] { "MANY", "BESIDE", "DEEP" }) assertEquals(defined("windowfit.cu", name), ofHost(GpuWindows.class, name), name);
		assertEquals(defined("windowfit.cu", "RADIUS") + 1, ofHost(GpuWindows.class, "FILTER"));
		assertEquals(defined("patches.cu", "STRIP"), ofHost(GpuWindows.class, "STRIP"));
		assertEquals(defined("headers/windowgrid.cuh", "THREADS"), ofHost(GpuWindows.class, "THREADS"));
		// a block sums PLACES places of a row in each thread
		assertEquals(ofHost(GpuWindows.class, "MANY") * defined("patches.cu", "PLACES"), WindowLayout.ROW);
	}
}
