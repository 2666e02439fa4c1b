package sc.fiji.ncc.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.loops.Vectors;

/** The calls from {@code correlate} to the innermost loop of direct sums, as architecture.md lists them. */
class CallDepthTest {

	private static final String PLAIN = "plain Java: ", VECTORS = "Vector API: ";
	private static final int MOST_CALLS = 12, THREADS = 16, ATTEMPTS = 20;
	/** The loops for each number of products, and those with the Vector API. */
	private static final Pattern LOOP = Pattern.compile("ProductRows\\.(one|two|three|four|five|six|seven|eight)"
		+ "|VectorFloatCorrelator\\.(two|four)By(Two|Four|Eight)");

	private static Img<FloatType> noise(final long... size) {
		final Img<FloatType> image = ArrayImgs.floats(size);
		final Random random = new Random(1);
		image.forEach(p -> p.set(random.nextFloat()));
		return image;
	}

	/** Correlates until its thread is interrupted. */
	static final class Correlation implements Runnable {

		@Override
		public void run() {
			final Img<FloatType> image = noise(300, 300), template = noise(24, 24);
			// more threads than start at once: the calling thread takes the place of one that has not started
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(template).algorithm("cpu-direct").threads(THREADS);
			while (!Thread.currentThread().isInterrupted()) op.correlate(image);
		}
	}

	/** Loads this library anew, so that its code is not compiled yet. Samples of compiled code lack the innermost loops, which wait for nobody. */
	private static final class NewCode extends ClassLoader {

		NewCode() {
			super(CallDepthTest.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith("sc.fiji.ncc.")) return super.loadClass(name, resolve);
			final Class<?> known = findLoadedClass(name);
			if (known != null) return known;
			try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
				if (in == null) throw new ClassNotFoundException(name);
				final byte[] code = in.readAllBytes();
				return defineClass(name, code, 0, code.length);
			}
			catch (final IOException e) {
				throw new ClassNotFoundException(name, e);
			}
		}
	}

	/** The methods of this library on the stack of a call that computes sums of products, from {@code correlate} on. Empty if none was seen in half a second. */
	private static List<String> calls() throws ReflectiveOperationException, InterruptedException {
		final Constructor<?> correlation = new NewCode().loadClass(Correlation.class.getName()).getDeclaredConstructor();
		correlation.setAccessible(true);
		final Thread caller = new Thread((Runnable) correlation.newInstance());
		caller.setDaemon(true);
		caller.start();
		final List<String> calls = new ArrayList<>();
		try {
			final long end = System.nanoTime() + 500_000_000L;
			while (calls.isEmpty() && caller.isAlive() && System.nanoTime() < end) {
				Thread.sleep(0, 200_000);
				final List<String> stack = new ArrayList<>();
				for (final StackTraceElement e : caller.getStackTrace()) {
					final String name = e.getClassName().substring(e.getClassName().lastIndexOf('.') + 1).replace('$', '.') + "." + e.getMethodName();
					// no lambda: a frame of its own calls nothing else
					if (e.getClassName().startsWith("sc.fiji.ncc.") && !e.getClassName().contains("$$") && !name.startsWith("CallDepthTest")) stack.add(name);
				}
				Collections.reverse(stack);
				int loop = stack.size() - 1;
				while (loop >= 0 && !LOOP.matcher(stack.get(loop)).matches()) loop--;
				calls.addAll(stack.subList(0, loop + 1));
			}
		}
		finally {
			caller.interrupt();
			caller.join(20_000);
		}
		return calls;
	}

	/**
	 * The calls in the document, without packages. A method without a class belongs to the class before it.
	 *
	 * @param loops the beginning of the line for these loops
	 */
	private static List<String> documented(final String loops) throws IOException {
		final String text = Files.readString(Path.of("src/doc/architecture.md"));
		final int from = text.indexOf("```text\nNormalizedCrossCorrelation.correlate");
		assertTrue(from >= 0, "architecture.md lists the calls");
		final String block = text.substring(from + "```text\n".length(), text.indexOf("```", from + 3)).lines().filter(line -> line.startsWith(loops)
			|| !line.contains(": →")).map(line -> line.replace(loops, "")).collect(Collectors.joining("\n"));
		final List<String> calls = new ArrayList<>();
		String type = "";
		for (final String call : Arrays.stream(block.split("→")).map(String::trim).toList()) {
			final Matcher m = Pattern.compile("(?:[a-z]+\\.)*((?:[A-Z]\\w*\\.)*)(\\w+)(?: \\(.*\\))?").matcher(call);
			assertTrue(m.matches(), call);
			if (!m.group(1).isEmpty()) type = m.group(1);
			calls.add(type + m.group(2));
		}
		return calls;
	}

	@Test
	void architectureListsTheCallsToTheInnermostLoop() throws Exception {
		for (final String loops : List.of(PLAIN, VECTORS)) {
			final List<String> documented = documented(loops);
			assertTrue(documented.size() <= MOST_CALLS + 1, documented.size() - 1 + " calls: " + documented);
			assertTrue(LOOP.matcher(documented.get(documented.size() - 1)).matches(), documented.toString());
		}
		List<String> calls = List.of();
		for (int i = 0; i < ATTEMPTS && calls.isEmpty(); i++) calls = calls();
		assumeTrue(!calls.isEmpty(), "on a busy computer, the other threads may compute everything");
		assertEquals(documented(Vectors.USED ? VECTORS : PLAIN).stream().map(CallDepthTest::general).toList(), calls.stream().map(CallDepthTest::general).toList());
	}

	/** All loops of a class are one: the template and the processor decide which of them computes. */
	private static String general(final String call) {
		return LOOP.matcher(call).matches() ? call.substring(0, call.indexOf('.')) + " loop" : call;
	}
}
