package sc.fiji.ncc.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a measurement was made on. */
public final class Machine {

	private Machine() {}

	/** Processor, Java and its flags, operating system: one line. */
	public static String describe() {
		return String.format("%s (%d processors), %s %s %s, %s %s", processor(), Runtime.getRuntime().availableProcessors(),
			System.getProperty("java.vm.name"), System.getProperty("java.vm.version"), ManagementFactory.getRuntimeMXBean().getInputArguments(),
			System.getProperty("os.name"), System.getProperty("os.version"));
	}

	/** Processor and Java, for the title of a chart. */
	public static String brief() {
		return processor() + ", Java " + System.getProperty("java.version") + (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
			? " with the Vector API" : "");
	}

	private static String processor() {
		try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
			return lines.filter(line -> line.startsWith("model name")).map(line -> line.substring(line.indexOf(':') + 2)).findFirst()
				.orElse(System.getProperty("os.arch"));
		}
		catch (final IOException e) {
			return System.getProperty("os.arch"); // not Linux
		}
	}
}
