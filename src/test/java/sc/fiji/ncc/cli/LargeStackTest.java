package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ShortProcessor;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.DeformedStack;
import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.store.DriftFile;

/** {@code ncc align} of a Zarr stack that is larger than the memory of the process. */
@Tag("large")
class LargeStackTest extends InFolder {

	private static final int SIZE = 320, FRAMES = 400;
	/** The stack has 82 MB. */
	private static final String HEAP = "-Xmx64m";

	private final int[][] place = new int[FRAMES][2];

	/** A stack of 16-bit frames, one chunk each, that moves by up to 2 pixels a frame. */
	private void save() throws IOException {
		final Path array = Files.createDirectories(folder.resolve("in.zarr").resolve("0"));
		final int wide = SIZE + 80;
		final short[] texture = DriftTexture.photons(new DriftTexture(wide + 4, wide + 4, 1.3, 1).frame(0, 0, wide, wide), 500, 0.3, new Random(2));
		final Random random = new Random(3);
		for (int t = 0; t < FRAMES; t++) {
			for (int d = 0; d < 2 && t > 0; d++) place[t][d] = Math.max(-35, Math.min(35, place[t - 1][d] + random.nextInt(5) - 2));
			final ByteBuffer frame = ByteBuffer.allocate(2 * SIZE * SIZE).order(ByteOrder.LITTLE_ENDIAN);
			for (int y = 0; y < SIZE; y++)
				for (int x = 0; x < SIZE; x++) frame.putShort((short) (texture[(y + 40 - place[t][1]) * wide + x + 40 - place[t][0]] + random.nextInt(16)));
			Files.write(array.resolve(t + ".0.0"), frame.array());
		}
		Files.writeString(array.resolve(".zarray"), "{\"zarr_format\":2,\"shape\":[" + FRAMES + "," + SIZE + "," + SIZE + "],\"chunks\":[1," + SIZE + "," + SIZE
			+ "],\"dtype\":\"<u2\",\"compressor\":null,\"fill_value\":0,\"order\":\"C\",\"filters\":null}");
		Files.writeString(array.resolve(".zattrs"), "{\"_ARRAY_DIMENSIONS\":[\"t\",\"y\",\"x\"]}");
	}

	/** Frames of which each one is deformed in another way. */
	private void saveDeformed(final int frames) throws IOException {
		final double[] pixels = values(new DeformedStack(96, frames, 128, 4, 400, 3).stack());
		final ImageStack stack = new ImageStack(96, 96);
		for (int t = 0; t < frames; t++) {
			final short[] frame = new short[96 * 96];
			for (int i = 0; i < frame.length; i++) frame[i] = (short) pixels[t * frame.length + i];
			stack.addSlice(new ShortProcessor(96, 96, frame, null));
		}
		save("deformed.tif", new ImagePlus("deformed", stack));
	}

	/** The windows are measured once: a killed run goes on with the frames that are left, to the same bytes. */
	@Test
	void aKilledPiecewiseRunGoesOnToTheSameBytes() throws IOException, InterruptedException {
		final int frames = 10;
		saveDeformed(frames);
		final String[] options = { "align", path("deformed.tif"), "--piecewise", "48", "--reference", "first", "--threads", "1", "--interpolation", "lanczos", "-o" };
		ends(start(options, "whole.zarr"));
		final List<Path> all = chunks(folder.resolve("whole.zarr"));
		final Path part = folder.resolve("again.zarr.part");
		final Process p = start(options, "again.zarr");
		final long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
		while (p.isAlive() && System.nanoTime() < end && chunks(part).size() < 2) Thread.sleep(1);
		p.destroyForcibly().waitFor();
		final List<Path> left = chunks(part);
		assertTrue(left.size() >= 2 && left.size() < all.size(), left.size() + " of " + all.size() + " chunks: " + Files.readString(folder.resolve("said")));
		for (final Path chunk : left) Files.setLastModifiedTime(part.resolve(chunk), FileTime.fromMillis(0));
		try (Stream<Path> files = Files.list(folder)) {
			final Path kept = files.filter(f -> f.getFileName().toString().endsWith(".drift.part")).findFirst().orElseThrow();
			assertNotNull(DriftFile.read(kept).deformation());
		}
		ends(start(options, "again.zarr"));
		assertEquals(all, chunks(folder.resolve("again.zarr")));
		for (final Path chunk : all) assertArrayEquals(Files.readAllBytes(folder.resolve("whole.zarr").resolve(chunk)), Files.readAllBytes(folder.resolve("again.zarr").resolve(chunk)));
		int old = 0;
		for (final Path chunk : left) if (Files.getLastModifiedTime(folder.resolve("again.zarr").resolve(chunk)).toMillis() == 0) old++;
		assertTrue(old >= left.size() - 2, "of " + left.size() + " chunks, " + old + " were kept");
	}

	private Process start(final String output) throws IOException {
		return start(new String[] { "align", path("in.zarr/0"), "--max-shift", "20", "--threads", "2", "--interpolation", "linear", "-o" }, output);
	}

	/** Another process. The last word before the output is its option. */
	private Process start(final String[] words, final String output) throws IOException {
		final List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), HEAP, "-cp", System.getProperty("java.class.path"),
			Main.class.getName()));
		command.addAll(List.of(words));
		command.add(path(output));
		return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(folder.resolve("said").toFile()).start();
	}

	private void ends(final Process p) throws IOException, InterruptedException {
		final boolean ended = p.waitFor(300, TimeUnit.SECONDS);
		p.destroyForcibly();
		assertTrue(ended, "it does not end");
		assertEquals(0, p.exitValue(), Files.readString(folder.resolve("said")));
	}

	private static List<Path> chunks(final Path zarr) throws IOException {
		if (!Files.exists(zarr.resolve("0"))) return List.of();
		try (Stream<Path> all = Files.walk(zarr.resolve("0"))) {
			return all.filter(f -> Files.isRegularFile(f) && f.getFileName().toString().matches("[\\d.]+")).map(zarr::relativize).sorted().toList();
		}
	}

	@Test
	void aKilledRunGoesOnToTheSameBytesInLittleMemory() throws IOException, InterruptedException {
		save();
		ends(start("whole.zarr"));
		final List<Path> all = chunks(folder.resolve("whole.zarr"));
		assertTrue(all.size() >= FRAMES);
		final Path part = folder.resolve("again.zarr.part");
		final Process p = start("again.zarr");
		final long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
		while (p.isAlive() && System.nanoTime() < end && chunks(part).size() < 20) Thread.sleep(5);
		p.destroyForcibly().waitFor();
		final List<Path> left = chunks(part);
		assertTrue(left.size() >= 20 && left.size() < all.size(), left.size() + " chunks: " + Files.readString(folder.resolve("said")));
		assertFalse(Files.exists(folder.resolve("again.zarr")));
		// the shifts were measured, and are not measured again
		try (Stream<Path> files = Files.list(folder)) {
			final Path kept = files.filter(f -> f.getFileName().toString().endsWith(".drift.part")).findFirst().orElseThrow();
			final List<FrameShift> shifts = DriftFile.read(kept).frames();
			for (int t = 0; t < FRAMES; t++)
				for (int d = 0; d < 2; d++) assertEquals(place[t][d], shifts.get(t).shift()[d], 0.05, "frame " + t);
		}
		for (final Path chunk : left) Files.setLastModifiedTime(part.resolve(chunk), FileTime.fromMillis(0));
		ends(start("again.zarr"));
		assertEquals(all, chunks(folder.resolve("again.zarr")));
		for (final Path chunk : all) assertArrayEquals(Files.readAllBytes(folder.resolve("whole.zarr").resolve(chunk)), Files.readAllBytes(folder.resolve("again.zarr").resolve(chunk)));
		int old = 0;
		for (final Path chunk : left) if (Files.getLastModifiedTime(folder.resolve("again.zarr").resolve(chunk)).toMillis() == 0) old++;
		// at most a few chunks were half written
		assertTrue(old >= left.size() - 4, "of " + left.size() + " chunks, " + old + " were kept");
	}
}
