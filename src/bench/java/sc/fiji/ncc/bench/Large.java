package sc.fiji.ncc.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.StoredResponse;
import sc.fiji.ncc.store.DiskImage;
import sc.fiji.ncc.store.OmeAxis;
import sc.fiji.ncc.store.RawPixels;
import sc.fiji.ncc.store.ZarrMap;

/**
 * Images of growing size from disk to maps in Zarr: shows whether the time is proportional to the number of pixels, and how much memory it takes.
 *
 * <pre>
 * MAVEN_OPTS=-Xmx3g mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.Large
 * </pre>
 */
@Command(name = "Large", mixinStandardHelpOptions = true, sortOptions = false)
public final class Large implements Callable<Integer> {

	@Option(names = "--image", split = ",", defaultValue = "2000x2000,4000x4000,8000x8000", description = "sizes: ${DEFAULT-VALUE}")
	private String[] images;
	@Option(names = "--template", defaultValue = "64x64", description = "${DEFAULT-VALUE}")
	private String template;
	@Option(names = "--threads", defaultValue = "2", description = "${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--repeats", defaultValue = "3", description = "timed calls of each size: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--warm-up", defaultValue = "15", description = "seconds of the first size before the first timed call: ${DEFAULT-VALUE}")
	private double warmUp;
	@Option(names = "--to", defaultValue = "ZARR", description = "where the map goes, one of ${COMPLETION-CANDIDATES}: NOWHERE leaves the disk's share out: ${DEFAULT-VALUE}")
	private To to;
	@Option(names = "--folder", defaultValue = "target/large", description = "where images and maps lie: ${DEFAULT-VALUE}")
	private Path folder;

	enum To {
		ZARR, NOWHERE, MEMORY
	}

	/** A store that discards the maps. */
	private record Nowhere(long[] size, int[] chunk) implements MapStore {

		@Override
		public void write(final long[] min, final int[] extents, final Buffer responses) {}
	}

	public static void main(final String[] args) {
		final int code = new CommandLine(new Large()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe() + ", heap " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB");
		Files.createDirectories(folder);
		final long end = System.nanoTime() + (long) (1e9 * warmUp);
		do run(images[0]);
		while (System.nanoTime() < end);
		for (final String size : images) {
			final double[] seconds = new double[repeats];
			long responses = 0;
			String method = "";
			for (final MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) pool.resetPeakUsage();
			for (int i = 0; i < repeats; i++) {
				final StoredResponse r = run(size);
				seconds[i] = r.seconds();
				responses = r.report().responses();
				method = r.rankings().get(0).best().orElseThrow().name();
			}
			Arrays.sort(seconds);
			long peak = 0;
			for (final MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans())
				if (pool.getType() == MemoryType.HEAP) peak += pool.getPeakUsage().getUsed();
			System.out.printf("%s U16 with %s, to %s, %d threads, median of %d: %s %.0f ms (least %.0f), %.2f ns a response, peak of the heap's pools %d MiB%n", size, template, to, threads, repeats, method,
				1e3 * seconds[repeats / 2], 1e3 * seconds[0], 1e9 * seconds[repeats / 2] / responses, peak >> 20);
		}
		return 0;
	}

	private StoredResponse run(final String text) throws IOException {
		final long[] size = size(text), box = size(template);
		try (FileChannel file = FileChannel.open(image(text, size))) {
			final RandomAccessibleInterval<?> image = image(file, size);
			final long[] min = new long[size.length];
			Arrays.fill(min, 100);
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(Views.interval(image,
				FinalInterval.createMinSize(join(min, box)))).threads(threads);
			final MapShape shape = op.mapShapes(image).get(0);
			final int[] chunk = new int[size.length], dimensions = new int[size.length];
			final List<OmeAxis> axes = new ArrayList<>();
			for (int d = 0; d < size.length; d++) {
				chunk[d] = (int) Math.min(shape.size()[d], size.length < 3 ? 1024 : 128);
				dimensions[d] = size.length - 1 - d;
				axes.add(new OmeAxis("zyx".substring(3 - size.length + d, 4 - size.length + d), null, 1, 0));
			}
			if (to == To.NOWHERE) return op.correlateInto(image, new Nowhere(shape.size(), chunk));
			if (to == To.MEMORY) return op.correlateInto(image, MapStore.of(ArrayImgs.floats(shape.size())));
			final Path place = folder.resolve("map.zarr");
			try (ZarrMap map = new ZarrMap(place, new ZarrMap.Layout(shape.size(), PixelType.F32, false, chunk, axes, dimensions, 2),
				"bench")) {
				final StoredResponse response = op.correlateInto(image, map);
				map.commit();
				return response;
			}
			finally {
				try (var all = Files.walk(place)) {
					for (final Path p : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(p);
				}
			}
		}
	}

	/** Cells of a raw file. */
	private RandomAccessibleInterval<?> image(final FileChannel file, final long[] size) {
		final int[] cell = new int[size.length];
		Arrays.fill(cell, 1);
		cell[0] = (int) size[0];
		cell[1] = (int) Math.min(size[1], Math.max(1, (1 << 19) / size[0]));
		return DiskImage.of("noise", PixelType.U16, size, cell, (min, extents) -> {
			long at = 0;
			for (int d = size.length - 1; d >= 0; d--) at = at * size[d] + min[d];
			final int pixels = extents[0] * extents[1];
			final ByteBuffer bytes = ByteBuffer.allocate(2 * pixels);
			while (bytes.hasRemaining()) file.read(bytes, 2 * at + bytes.position());
			return RawPixels.array(bytes.flip(), PixelType.U16, pixels);
		});
	}

	/** Noise of 16 bits, made once. */
	private Path image(final String text, final long[] size) throws IOException {
		final Path file = folder.resolve(text + ".raw");
		final long bytes = 2 * Size.of(size).pixels();
		if (Files.exists(file) && Files.size(file) == bytes) return file;
		final Random random = new Random(1);
		try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
			StandardOpenOption.TRUNCATE_EXISTING)) {
			final byte[] part = new byte[1 << 22];
			for (long at = 0; at < bytes; at += part.length) {
				random.nextBytes(part);
				final ByteBuffer b = ByteBuffer.wrap(part, 0, (int) Math.min(part.length, bytes - at));
				while (b.hasRemaining()) out.write(b);
			}
		}
		return file;
	}

	private static long[] size(final String text) {
		return Arrays.stream(text.split("x")).mapToLong(Long::parseLong).toArray();
	}

	private static long[] join(final long[] a, final long[] b) {
		final long[] all = Arrays.copyOf(a, a.length + b.length);
		System.arraycopy(b, 0, all, a.length, b.length);
		return all;
	}
}
