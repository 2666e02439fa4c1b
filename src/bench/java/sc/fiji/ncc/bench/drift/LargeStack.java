package sc.fiji.ncc.bench.drift;

import java.io.File;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.store.DriftFile;

/**
 * {@code ncc align} of a Zarr stack that is larger than the memory of its process. The process is killed while it writes and started again. A last run applies the
 * measured shifts to the stack without a break, and all chunks of both results must have the same bytes. The shifts must be the true ones.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.drift.LargeStack -Dexec.args="--frames 5000 --folder /tmp/large"
 * </pre>
 */
@Command(name = "LargeStack", mixinStandardHelpOptions = true, sortOptions = false)
public final class LargeStack implements Callable<Integer> {

	/** The largest shift of the content, and the margin of the texture around a frame. */
	private static final int MAX_SHIFT = 36, MARGIN = 40;

	@Option(names = "--frames", defaultValue = "5000", description = "frames: ${DEFAULT-VALUE}")
	private int frames;
	@Option(names = "--size", defaultValue = "1024", description = "the side of a frame: ${DEFAULT-VALUE}")
	private int size;
	@Option(names = "--heap", defaultValue = "1g", description = "the heap of the process: ${DEFAULT-VALUE}")
	private String heap;
	@Option(names = "--options", defaultValue = "--max-shift 80 --threads 2", description = "options of ncc align: ${DEFAULT-VALUE}")
	private String options;
	@Option(names = "--folder", required = true, description = "a folder for the stacks, three times 2 bytes a pixel; it is deleted at the end")
	private Path folder;

	private int[][] place;

	public static void main(final String[] args) {
		final int code = new CommandLine(new LargeStack()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws Exception {
		System.out.println(Machine.describe());
		if (Files.exists(folder)) throw new IllegalArgumentException(folder + " exists: give a folder that does not");
		Files.createDirectories(folder);
		try {
			run();
		}
		finally {
			delete(folder);
		}
		return 0;
	}

	private void run() throws Exception {
		System.out.printf("%d frames of %dx%d pixels, 16 bit, %.1f GB, heap %s%n", frames, size, size, 2e-9 * frames * size * size, heap);
		time("stack written", () -> {
			save();
			return null;
		});
		final Path transforms = folder.resolve("drift.json"), part = folder.resolve("again.zarr.part");
		final String[] align = { "in.zarr/0", "-o", "again.zarr", "--transforms", "drift.json" };
		time("measured, and killed at a third of the output", () -> {
			final Process p = start(align);
			while (p.isAlive() && count(part) < frames / 3) Thread.sleep(100);
			if (!p.isAlive()) throw new IllegalStateException("it ended too soon: " + Files.readString(folder.resolve("said")));
			p.destroyForcibly().waitFor();
			return null;
		});
		System.out.println("chunks before the end: " + count(part));
		time("continued", () -> end(start(align)));
		double square = 0;
		final List<FrameShift> shifts = DriftFile.read(transforms).frames();
		for (int t = 0; t < frames; t++)
			for (int d = 0; d < 2; d++) square += Math.pow(shifts.get(t).shift()[d] - (place[t][d] - place[0][d]), 2);
		System.out.printf("root mean square error of the shifts %.4f pixels, frames to check %d%n", Math.sqrt(square / frames / 2),
			shifts.stream().filter(s -> s.state() != FrameShift.State.OK).count());
		time("without a break, with the shifts from the first run", () -> end(start("in.zarr/0", "-o", "whole.zarr", "--apply", "drift.json")));
		time("compared", () -> {
			compare();
			return null;
		});
	}

	private static void time(final String what, final Callable<?> step) throws Exception {
		final long start = System.nanoTime();
		step.call();
		System.out.printf("%-55s %8.1f s%n", what, 1e-9 * (System.nanoTime() - start));
	}

	private void save() throws IOException {
		final Path array = Files.createDirectories(folder.resolve("in.zarr").resolve("0"));
		final int wide = size + 2 * MARGIN;
		final short[] texture = DriftTexture.photons(new DriftTexture(wide + 4, wide + 4, 1.3, 1).frame(0, 0, wide, wide), 500, 0.3, new Random(2));
		final Random random = new Random(3);
		place = new int[frames][2];
		for (int t = 0; t < frames; t++) {
			for (int d = 0; d < 2 && t > 0; d++) place[t][d] = Math.max(-MAX_SHIFT, Math.min(MAX_SHIFT, place[t - 1][d] + random.nextInt(5) - 2));
			final ByteBuffer frame = ByteBuffer.allocate(2 * size * size).order(ByteOrder.LITTLE_ENDIAN);
			for (int y = 0; y < size; y++) {
				final int from = (y + MARGIN - place[t][1]) * wide + MARGIN - place[t][0];
				for (int x = 0; x < size; x += 8) {
					// sixteen levels of noise from 4 bits each
					int noise = random.nextInt();
					for (int k = x; k < Math.min(size, x + 8); k++, noise >>>= 4) frame.putShort((short) (texture[from + k] + (noise & 15)));
				}
			}
			Files.write(array.resolve(t + ".0.0"), frame.array());
		}
		Files.writeString(array.resolve(".zarray"), "{\"zarr_format\":2,\"shape\":[" + frames + "," + size + "," + size + "],\"chunks\":[1," + size + "," + size
			+ "],\"dtype\":\"<u2\",\"compressor\":null,\"fill_value\":0,\"order\":\"C\",\"filters\":null}");
		Files.writeString(array.resolve(".zattrs"), "{\"_ARRAY_DIMENSIONS\":[\"t\",\"y\",\"x\"]}");
	}

	private Process start(final String... arguments) throws IOException {
		final List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx" + heap, "-cp", classPath(), "sc.fiji.ncc.cli.Main", "align"));
		for (final String a : arguments) command.add(a.matches("[a-z]+\\.(zarr(/0)?|json)") ? folder.resolve(a).toString() : a);
		command.addAll(List.of(options.split(" ")));
		return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(folder.resolve("said").toFile()).start();
	}

	private static String classPath() {
		// under exec:java the class path is the class loader's
		final ClassLoader loader = LargeStack.class.getClassLoader();
		if (!(loader instanceof URLClassLoader)) return System.getProperty("java.class.path");
		return Arrays.stream(((URLClassLoader) loader).getURLs()).map(url -> new File(url.getPath()).getPath()).collect(Collectors.joining(File.pathSeparator));
	}

	private Object end(final Process p) throws IOException, InterruptedException {
		if (p.waitFor() != 0) throw new IllegalStateException("exit code " + p.exitValue() + ": " + Files.readString(folder.resolve("said")));
		return null;
	}

	private static List<Path> chunks(final Path zarr) throws IOException {
		if (!Files.exists(zarr.resolve("0"))) return List.of();
		try (Stream<Path> all = Files.walk(zarr.resolve("0"))) {
			return all.filter(f -> f.getFileName().toString().matches("[\\d.]+") && Files.isRegularFile(f)).map(zarr::relativize).sorted().toList();
		}
	}

	private static int count(final Path zarr) throws IOException {
		return chunks(zarr).size();
	}

	private void compare() throws IOException {
		final Path again = folder.resolve("again.zarr"), whole = folder.resolve("whole.zarr");
		final List<Path> all = chunks(whole);
		if (all.size() < frames || !all.equals(chunks(again))) throw new IllegalStateException(all.size() + " and " + count(again) + " chunks for " + frames + " frames");
		for (final Path chunk : all)
			if (!Arrays.equals(Files.readAllBytes(whole.resolve(chunk)), Files.readAllBytes(again.resolve(chunk)))) throw new IllegalStateException("chunk " + chunk + " differs");
		System.out.println(all.size() + " chunks have the same bytes");
	}

	private static void delete(final Path folder) throws IOException {
		try (Stream<Path> all = Files.walk(folder)) {
			for (final Path p : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(p);
		}
	}
}
