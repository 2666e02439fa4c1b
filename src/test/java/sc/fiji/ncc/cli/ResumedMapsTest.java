package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import javax.imageio.ImageIO;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.store.OmeZarr;

/** Runs that were killed: nothing incomplete looks complete, and the next run continues if the input and the parameters are the same. */
class ResumedMapsTest extends LargeImages {

	/** Has a process killed that writes map.zarr, when it has written some of its chunks, and more than one box's. */
	private Path killed(final String words, final int most) throws IOException, InterruptedException {
		final Path part = folder.resolve("map.zarr.part");
		final Process p = start("-Xmx1g", words);
		final long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
		while (p.isAlive() && System.nanoTime() < end && chunks(part) < 5) Thread.sleep(1);
		p.destroyForcibly().waitFor();
		final int left = chunks(part);
		assertTrue(left >= 5 && left < most, left + " chunks: " + Files.readString(folder.resolve("said")));
		assertFalse(Files.exists(folder.resolve("map.zarr")));
		assertFalse(OmeZarr.is(part) || OmeZarr.is(part.resolve("0")));
		return part;
	}

	/** A process that is killed leaves nothing that looks whole, and the next one goes on, to the same bytes. */
	@ParameterizedTest
	@ValueSource(strings = { "correlate image.tif --roi 100,200,64,48 --algorithm cpu-fourier", "convolve image.tif kernel.tif --algorithm cpu-convolve-fourier" })
	void aKilledRunGoesOn(final String command) throws Exception {
		noise("image.tif", 4100, 3100);
		noise("kernel.tif", 61, 47);
		final String options = " --threads 1 --extent same";
		succeeds(command + " -o whole.zarr" + options);
		final Map<String, byte[]> whole = files(folder.resolve("whole.zarr"));
		final Path part = killed(command + " -o map.zarr" + options, 20);
		final Map<String, byte[]> left = files(part);
		left.keySet().removeIf(name -> !name.matches("0/\\d+/\\d+"));
		for (final String chunk : left.keySet()) {
			assertArrayEquals(whole.get(chunk), left.get(chunk), chunk);
			// so that it is seen whether it is written again
			Files.setLastModifiedTime(part.resolve(chunk), FileTime.fromMillis(0));
		}
		succeeds(command + " -o map.zarr" + options);
		assertSame(whole, asIfNamed("whole", files(folder.resolve("map.zarr"))));
		for (final String chunk : left.keySet())
			assertEquals(0, Files.getLastModifiedTime(folder.resolve("map.zarr").resolve(chunk)).toMillis(), chunk + " was written again");
		assertFalse(Files.exists(part));
	}

	/** The file that a process has begun, when it has this many bytes. */
	private Path begun(final Process p, final String name, final long bytes) throws IOException, InterruptedException {
		final long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
		while (p.isAlive() && System.nanoTime() < end) {
			try (var all = Files.list(folder)) {
				for (final Path f : all.filter(f -> f.getFileName().toString().matches("\\." + Pattern.quote(name) + "\\.[0-9a-f]+\\.part")).toList())
					if (Files.exists(f) && Files.size(f) > bytes) return f;
			}
			Thread.sleep(1);
		}
		throw new AssertionError("no such file: " + Files.readString(folder.resolve("said")));
	}

	/** A TIFF file is continued to the same bytes, and begun anew with other options. */
	@Test
	void aKilledMosaicGoesOn() throws Exception {
		noise("scene.tif", 3800, 3800);
		for (int i = 0; i < 4; i++) {
			final BufferedImage scene = ImageIO.read(folder.resolve("scene.tif").toFile());
			assertTrue(ImageIO.write(scene.getSubimage(i % 2 * 1800 + 7 * (i / 2), i / 2 * 1800, 1960, 1960), "tiff", folder.resolve("tile_" + i + ".tif").toFile()));
		}
		final String command = "stitch tile_0.tif tile_1.tif tile_2.tif tile_3.tif --grid 2x2 --overlap 160 --stage-error 12 --threads 1 --interpolation lanczos";
		succeedsWithin("-Xmx96m", command + " -o whole.tif");
		succeedsWithin("-Xmx96m", command + " --blending max -o other.tif");
		final Process p = start("-Xmx96m", command + " -o m.tif");
		final Path part = begun(p, "m.tif", 1 << 20);
		p.destroyForcibly().waitFor();
		final byte[] whole = Files.readAllBytes(folder.resolve("whole.tif")), left = Files.readAllBytes(part);
		assertTrue(left.length < whole.length && !Files.exists(folder.resolve("m.tif")), left.length + " bytes");
		assertArrayEquals(Arrays.copyOf(whole, left.length), left);
		// so that it is seen whether it is written again
		left[1 << 19]++;
		whole[1 << 19]++;
		Files.write(part, left);
		succeedsWithin("-Xmx96m", command + " -o m.tif");
		assertArrayEquals(whole, Files.readAllBytes(folder.resolve("m.tif")));
		assertFalse(Files.exists(part));
		Files.write(part, left);
		succeedsWithin("-Xmx96m", command + " --blending max -o m.tif");
		assertEquals(-1, Files.mismatch(folder.resolve("other.tif"), folder.resolve("m.tif")));
		assertFalse(Files.exists(part));
	}

	/** A map holds its own name. */
	private static Map<String, byte[]> asIfNamed(final String name, final Map<String, byte[]> map) {
		map.put(".zattrs", new String(map.get(".zattrs")).replace("\"map\"", '"' + name + '"').getBytes());
		return map;
	}

	private static int chunks(final Path part) throws IOException {
		if (!Files.exists(part.resolve("0"))) return 0;
		try (var all = Files.find(part.resolve("0"), 2, (f, a) -> a.isRegularFile() && f.getFileName().toString().matches("\\d+"))) {
			return (int) all.count();
		}
		catch (final UncheckedIOException e) {
			// a temporary file that was moved while it was looked at
			return 0;
		}
	}

	/** Half a result of other parameters or another input is begun anew, not taken over. */
	@Test
	void staleHalvesAreNotTakenOver() throws Exception {
		noise("image.tif", 4100, 2100);
		final String same = "correlate image.tif -o map.zarr --roi 10,20,31,31 --algorithm cpu-direct-exact --threads 1";
		final Path part = killed(same, 15), kept = folder.resolve("kept");
		Files.move(part, kept);
		for (final String other : new String[] { same.replace("10,20", "11,20"), same + " --undefined nan", same + " --extent same", same.replace("-exact", ""),
			same + " --search 0,0,4000,2000", same.replace("image", "other") })
		{
			Files.copy(folder.resolve("image.tif"), folder.resolve("other.tif"), StandardCopyOption.REPLACE_EXISTING);
			copy(kept, part);
			succeeds(other);
			assertFalse(out.toString().contains("complete before"), other + ": " + out);
			assertFalse(Files.exists(part));
			final Map<String, byte[]> map = files(folder.resolve("map.zarr"));
			succeeds(other.replace("map.zarr", "fresh.zarr"));
			assertSame(files(folder.resolve("fresh.zarr")), asIfNamed("fresh", map));
		}
		copy(kept, part);
		succeeds(same);
		assertTrue(out.toString().matches("(?s).* [1-9]\\d* were complete before; wrote .*"), "what is the same goes on: " + out);
		copy(kept, part);
		Files.setLastModifiedTime(folder.resolve("image.tif"), FileTime.fromMillis(1_000_000));
		succeeds(same);
		assertFalse(out.toString().contains("complete before"), "the input has changed: " + out);
	}

	/** The same of a convolution, which has other parameters. */
	@Test
	void staleHalvesOfAConvolution() throws Exception {
		noise("image.tif", 4100, 2100);
		noise("kernel.tif", 41, 31);
		noise("other.tif", 41, 32);
		final String same = "convolve image.tif kernel.tif -o map.zarr --algorithm cpu-convolve-direct --threads 1";
		final Path part = killed(same, 15), kept = folder.resolve("kept");
		Files.move(part, kept);
		for (final String other : new String[] { same.replace("kernel.tif", "other.tif"), same + " --sense correlation", same + " --border mirror", same + " --undefined 0" }) {
			copy(kept, part);
			succeeds(other);
			assertFalse(out.toString().contains("complete before"), other + ": " + out);
		}
		copy(kept, part);
		succeeds(same);
		assertTrue(out.toString().matches("(?s).* [1-9]\\d* were complete before; wrote .*"), "what is the same goes on: " + out);
	}

	private static void copy(final Path from, final Path to) throws IOException {
		try (var all = Files.walk(from)) {
			for (final Path p : all.toList()) Files.copy(p, to.resolve(from.relativize(p).toString()));
		}
	}
}
