package sc.fiji.ncc.cli.map;

import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.fixture.ChunksInMemory;
import sc.fiji.ncc.image.ImagePixels;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.img.array.ArrayImgs;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.IntegerType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.UnfinishedException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.store.DiskImage;

/** Files of planes that a failure ends in the middle, and a second call completes. */
class StackWriterTest {

	/** Two planes of 13 MB, more than one band. */
	private static final long[] SIZE = { 3000, 2200, 2 };

	@TempDir
	Path folder;
	private final Set<List<Long>> read = ConcurrentHashMap.newKeySet();

	/** An image whose pixels are numbered. Cells of the second plane beyond row {@code until} cannot be read. */
	private Img<?> image(final long until) {
		return DiskImage.of("the test image", PixelType.U16, SIZE, new int[] { 512, 512, 1 }, (min, size) -> {
			if (min[2] == 1 && min[1] >= until) throw new IOException("out of order");
			read.add(Arrays.stream(min).boxed().toList());
			final short[] pixels = new short[size[0] * size[1]];
			for (int i = 0; i < pixels.length; i++) pixels[i] = value(min[0] + i % size[0], min[1] + i / size[0], min[2]);
			return pixels;
		});
	}

	private static short value(final long x, final long y, final long z) {
		return (short) (x + SIZE[0] * (y + SIZE[1] * z));
	}

	private void write(final Img<?> image, final String name, final String identity, final int threads) throws IOException {
		try (Outputs outputs = new Outputs()) {
			new StackWriter(new InputImage("p", image, "xyz", Calibration.NONE), new long[3], threads, Monitor.NONE)
				.file(image, outputs, outputs.promise(folder.resolve(name).toString(), List.of()), identity);
			outputs.commit();
		}
	}

	private Set<String> names() throws IOException {
		try (Stream<Path> files = Files.list(folder)) {
			return files.map(f -> f.getFileName().toString()).collect(Collectors.toSet());
		}
	}

	/** Fails to write a file, and returns the part that stays. */
	private Path part(final String name) throws IOException {
		final UnfinishedException failure = assertThrows(UnfinishedException.class, () -> write(image(1024), name, "one", 2));
		final Path part = folder.resolve(names().stream().filter(n -> n.matches("\\." + name + "\\.[0-9a-f]+\\.part")).findFirst().orElseThrow());
		assertEquals("the finished part is in " + part.toRealPath() + "; the same command continues it", failure.getMessage());
		assertTrue(!Files.exists(folder.resolve(name)) && Files.size(part) > 2 * SIZE[0] * 512, part + ": " + Files.size(part));
		return part;
	}

	@ParameterizedTest
	@ValueSource(strings = { "m.tif", "m.mrc" })
	void aPartIsContinuedToTheSameBytes(final String name) throws IOException {
		write(image(Long.MAX_VALUE), name, "one", 1);
		final byte[] whole = Files.readAllBytes(folder.resolve(name));
		final var pixels = ImageFiles.read(folder.resolve(name).toString()).pixels();
		for (final long[] p : new long[][] { { 0, 0, 0 }, { 511, 512, 0 }, { 2999, 2199, 0 }, { 513, 1023, 1 }, { 2999, 2199, 1 } })
			assertEquals(Short.toUnsignedInt(value(p[0], p[1], p[2])), ((IntegerType<?>) pixels.getAt(p)).getInteger());
		Files.delete(folder.resolve(name));
		final Path part = part(name);
		// a kill can leave half a row
		final byte[] left = Files.readAllBytes(part);
		Files.write(part, Arrays.copyOf(left, left.length - 1));
		read.clear();
		write(image(Long.MAX_VALUE), name, "one", 2);
		assertArrayEquals(whole, Files.readAllBytes(folder.resolve(name)));
		assertEquals(Set.of(name), names());
		// the first pixel shows the type
		read.remove(List.of(0L, 0L, 0L));
		assertTrue(read.stream().allMatch(cell -> cell.get(2) == 1), () -> "pixels of the finished part were read again: " + read);
	}

	@Test
	void anotherIdentityStartsAgain() throws IOException {
		write(image(Long.MAX_VALUE), "whole.tif", "one", 1);
		part("m.tif");
		read.clear();
		write(image(Long.MAX_VALUE), "m.tif", "two", 1);
		assertEquals(Set.of("whole.tif", "m.tif"), names());
		assertEquals(6 * 5 * 2, read.size());
		assertEquals(-1, Files.mismatch(folder.resolve("whole.tif"), folder.resolve("m.tif")));
	}

	/** A failure before the first band is complete leaves nothing. */
	@Test
	void nothingFinishedLeavesNothing() throws IOException {
		final Img<?> unreadable = DiskImage.of("the test image", PixelType.U16, SIZE, new int[] { 512, 512, 1 }, (min, size) -> {
			// the first pixel shows the type
			if (min[0] > 0) throw new IOException("out of order");
			return new short[size[0] * size[1]];
		});
		final RuntimeException failure = assertThrows(RuntimeException.class, () -> write(unreadable, "m.tif", "one", 2));
		assertTrue(failure.getMessage().contains("out of order"), failure::getMessage);
		assertEquals(Set.of(), names());
	}

	/** The planes at one position along a dimension, whatever dimensions lie between. */
	@Test
	void planesAtOnePosition() {
		final Img<FloatType> image = ArrayImgs.floats(5, 7, 2, 3, 2);
		final ImagePixels pixels = ImagePixels.of(image);
		for (int dimension = 2; dimension < 5; dimension++) {
			final int d = dimension;
			final ChunksInMemory to = new ChunksInMemory(image.dimensionsAsLongArray(), new int[] { 5, 3, 1, 1, 1 }, Precision.SINGLE);
			new StackWriter(new InputImage("p", image, "xyczt", Calibration.NONE), new long[5], 1, Monitor.NONE).planes(pixels, d, 1, to);
			assertEquals(3 * 12 / image.dimension(d), to.kept.size(), "dimension " + d);
			assertTrue(to.kept.values().stream().allMatch(c -> c.min()[d] == 1), "dimension " + d);
		}
	}
}
