package sc.fiji.ncc.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every block of Java in the documents compiles against the library, except those after {@code <!-- not compiled: why -->}. */
class JavaBlocksTest {

	private static final Pattern BLOCK = Pattern.compile("(?m)^(<!-- not compiled: .+ -->\\R)?```java\\R((?s:.*?))^```"),
		IMPORT = Pattern.compile("(?m)^import [^;]+;\\R?"),
		CLASS = Pattern.compile("(?m)^public class (\\w+)");
	/** What blocks use without an import, as the page on Java says. */
	private static final String IMPORTS = Stream.of("java.util", "sc.fiji.ncc", "sc.fiji.ncc.image", "sc.fiji.ncc.match", "sc.fiji.ncc.motion", "sc.fiji.ncc.option",
		"sc.fiji.ncc.result", "sc.fiji.ncc.track",
		"sc.fiji.ncc.plan", "sc.fiji.ncc.planner", "sc.fiji.ncc.parts", "sc.fiji.ncc.pose", "sc.fiji.ncc.stitch", "sc.fiji.ncc.store", "net.imglib2",
		"net.imglib2.img", "net.imglib2.img.array",
		"net.imglib2.type.numeric.integer", "net.imglib2.type.numeric.real", "net.imglib2.util", "net.imglib2.view").map(p -> "import " + p + ".*;")
		.collect(Collectors.joining("\n"));
	/** What blocks use without a declaration: the reader's own images and methods. */
	private static final String OWN = """
		Img<UnsignedByteType> image, template, otherTemplate, a, b, c, mask, maskOfA, present, stack, part, fixed, moving, fixedMask;
		Img<UnsignedByteType> channels, allChannels, red, green, blue, left, right, before, after;
		Img<FloatType> weights, kernel, diskCachedImage;
		List<Interval> regions;
		List<Img<UnsignedByteType>> frames;
		NormalizedCrossCorrelation ncc, correlation;
		MapStore store, scores, numbers;
		List<MapStore> stores;
		long first, last;
		boolean stop;
		java.nio.channels.ReadableByteChannel channel;
		java.util.concurrent.atomic.LongAdder progress;
		void write(Object... results) {}
		void show(Object... results) {}
		""";

	/** @param name of the class */
	private record Source(String name, String text) {

		/** @param place where the block stands */
		static Source of(final String place, final String block) {
			final Matcher whole = CLASS.matcher(block);
			if (whole.find()) return new Source(whole.group(1), block);
			final String name = place.replaceAll("\\W", "_");
			final String own = IMPORT.matcher(block).results().map(m -> m.group().strip()).collect(Collectors.joining("\n"));
			return new Source(name, IMPORTS + "\n" + own + "\nclass " + name + " {\n" + OWN + "void run() throws Exception {\n"
				+ IMPORT.matcher(block).replaceAll("") + "\n}\n}\n");
		}
	}

	private static List<Source> sources() throws IOException {
		final List<Source> sources = new ArrayList<>();
		try (Stream<Path> pages = Stream.concat(Stream.of(Path.of("README.md")), Files.list(Path.of("src/doc")).filter(p -> p.toString().endsWith(".md")).sorted())) {
			for (final Path page : (Iterable<Path>) pages::iterator) {
				int block = 0;
				for (final Matcher m = BLOCK.matcher(Files.readString(page)); m.find();)
					if (m.group(1) == null) sources.add(Source.of(page.getFileName() + " block " + ++block, m.group(2)));
			}
		}
		return sources;
	}

	/** @return the errors, one a line */
	private static String compiled(final List<Source> sources, final Path to) {
		final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		Assumptions.assumeTrue(compiler != null, "no compiler in this Java");
		final DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
		final List<SimpleJavaFileObject> files = new ArrayList<>();
		for (final Source s : sources) files.add(new SimpleJavaFileObject(URI.create("string:///" + s.name + ".java"), JavaFileObject.Kind.SOURCE) {

			@Override
			public CharSequence getCharContent(final boolean ignoreErrors) {
				return s.text;
			}
		});
		compiler.getTask(null, null, found, List.of("-proc:none", "-Xlint:none", "-cp",
			System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")), "-d", to.toString()), null, files).call();
		return found.getDiagnostics().stream().filter(d -> d.getKind() == Diagnostic.Kind.ERROR)
			.map(d -> (d.getSource() == null ? "" : d.getSource().getName()) + ": " + d.getMessage(null)).collect(Collectors.joining("\n"));
	}

	@Test
	void everyBlockCompiles(@TempDir final Path to) throws IOException {
		final List<Source> sources = sources();
		assertTrue(sources.size() > 20, sources.size() + " blocks");
		assertEquals("", compiled(sources, to));
	}

	@Test
	void mistakesAreSeen(@TempDir final Path to) {
		assertEquals("", compiled(List.of(Source.of("right", "ncc.bestInto(image, scores, numbers);\n")), to));
		assertNotEquals("", compiled(List.of(Source.of("wrong", "ncc.bestInto(image, scores);\n")), to));
	}
}
