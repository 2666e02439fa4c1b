package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;

import org.junit.jupiter.api.Test;

class RunCounterTest {

	/** In a class loader of its own, because other tests run algorithms. */
	@Test
	void otherCodeIsNoAlgorithm() throws Exception {
		final URL[] classes = { RunCounter.class.getProtectionDomain().getCodeSource().getLocation() };
		try (URLClassLoader fresh = new URLClassLoader(classes, ClassLoader.getPlatformClassLoader())) {
			final Class<?> counter = fresh.loadClass(RunCounter.class.getName());
			final Method none = counter.getDeclaredMethod("none");
			none.setAccessible(true);
			assertEquals(true, none.invoke(null));
			counter.getMethod("started", String.class).invoke(null, "poses");
			assertEquals(true, counter.getMethod("hasStarted", String.class).invoke(null, "poses"));
			assertEquals(true, none.invoke(null));
		}
	}
}
