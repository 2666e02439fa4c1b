package sc.fiji.ncc.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import com.google.gson.JsonParser;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.result.Deformation;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;

class DriftFileTest {

	@TempDir
	Path folder;

	@Test
	void everyNumberIsReadBackExactly() throws IOException {
		final Random random = new Random(1);
		final List<FrameShift> frames = new ArrayList<>();
		for (int t = 0; t < 40; t++) frames.add(new FrameShift(t, new double[] { random.nextGaussian() * Math.pow(10, t - 20), -random.nextDouble(), 1e-300 }, t == 3 ? Double.NaN : random.nextDouble(),
			random.nextDouble(), random.nextDouble(), Double.NaN, t % 2 == 0, FrameShift.State.values()[t % 4],
			t % 3 == 0 ? null : random.doubles(3).mapToObj(v -> new double[] { v, -v / 3, 1e-300 * v }).toArray(double[][]::new)));
		final Drift drift = new Drift(new long[] { 512, 300, 20 }, "multi", frames);
		final Path file = folder.resolve("drift.json");
		Files.writeString(file, DriftFile.text(drift));
		final Drift read = DriftFile.read(file);
		assertArrayEquals(drift.frameSize(), read.frameSize());
		assertEquals("multi", read.reference());
		for (int t = 0; t < 40; t++) {
			final FrameShift a = frames.get(t), b = read.frames().get(t);
			assertArrayEquals(a.shift(), b.shift());
			assertEquals(a.with(b.shift()), b.with(b.shift()));
			assertTrue(Arrays.deepEquals(a.covariance(), b.covariance()), "frame " + t);
		}
		// another reader of JSON understands the file
		assertEquals(40, JsonParser.parseString(Files.readString(file)).getAsJsonObject().getAsJsonArray("frames").size());
	}

	@Test
	void filesWithoutCovarianceAreRead() throws IOException {
		final Path file = folder.resolve("old.json");
		final String text = DriftFile.text(new Drift(new long[] { 5, 4 }, "first", List.of(new FrameShift(0, new double[2], 1, 1, 0, Double.NaN, false, FrameShift.State.OK))));
		Files.writeString(file, text.replace(", \"covariance\": null", ""));
		final FrameShift read = DriftFile.read(file).frames().get(0);
		assertNull(read.covariance());
		assertTrue(Double.isNaN(read.sigma(1)) && Double.isNaN(read.correlation(0, 1)));
	}

	@Test
	void deformationsAreReadBackExactly() throws IOException {
		final List<FrameShift> frames = List.of(new FrameShift(0, new double[2], 1, 1, 0, Double.NaN, false, FrameShift.State.OK),
			new FrameShift(1, new double[] { 1.5, -2 }, 0.9, 1, 0, Double.NaN, false, FrameShift.State.OK));
		final Drift drift = new Drift(new long[] { 50, 40 }, "first", frames, new Deformation(new int[] { 2, 1 }, new double[] { -0.5, 3 }, new double[] { 32, 16 },
			List.of(new float[2][2], new float[][] { { 0.1f, -1e-7f }, { 3.25f, 1 / 3f } })));
		final Path file = folder.resolve("deformed.json");
		final String text = DriftFile.text(drift);
		Files.writeString(file, text);
		assertEquals(drift, DriftFile.read(file));
		// programs that know shifts only must not read it
		assertTrue(text.contains("\"version\": 2"), text);
		for (final String[] wrong : new String[][] { { "\"count\": [2, 1]", "\"count\": [2, 2]", "has 2 vectors, and its grid has 4" },
			{ "[2, 1]", "[2]", "numbers for vectors" },
			{ "\"spacing\": [32.0, 16.0]", "\"spacing\": [32.0, 0]", "spacing" }, { ", \"u\": [[0.0, 0.0], [0.0, 0.0]]", "", "'u' is null" },
				{ "3.25", "null", "'u' is null" },
			{ "3.25", "1e300", "vector of Infinity" }, { "\"deformation\"", "\"other\"", "object should be" } })
		{
			Files.writeString(file, text.replace(wrong[0], wrong[1]));
			final String message = assertThrows(IllegalArgumentException.class, () -> DriftFile.read(file), wrong[2]).getMessage();
			assertTrue(message.contains(wrong[2]) && message.contains("is not a file of transforms"), message);
		}
	}

	@Test
	void damagedFilesAreRefusedInOneLine() throws IOException {
		final String good = DriftFile.text(new Drift(new long[] { 5, 4 }, "first", List.of(new FrameShift(0, new double[2], 1, 1, 0, Double.NaN, false, FrameShift.State.OK))));
		final Map<String, String> wrong = new HashMap<>(Map.of(good.substring(0, good.length() / 2), "is not JSON", good.replace("ncc-drift", "other"),
			"format", good.replace("\"version\": 1", "\"version\": 3"),
			"version 3.0", good.replace("\"shift\": [0.0, 0.0]", "\"shift\": [0.0]"), "a shift has 1 numbers", good.replace("\"ok\"", "\"fine\""),
				"state of a frame is fine",
			good.replace("[5, 4]", "[5]"), "frame_size has 1", good.replace("\"frame\": 1", "\"frame\": 2"), "has the number 2",
			good.replace("[5, 4]", "7"), "not a list",
			good.replace("\"score\": 1.0", "\"score\": \"x\""), "'score' is x",
			good.replace("\"covariance\": null", "\"covariance\": [[1, 2]]"), "a covariance is"));
		wrong.put(good.replace("\"version\": 1", "\"version\": 0"), "version 0.0");
		wrong.put(good.replace("\"shift\": [0.0, 0.0]", "\"shift\": [0.0, 1e999]"), "'shift' is Infinity, not a number");
		for (final String number : List.of("0", "-1", "1.5")) wrong.put(good.replace("\"frame\": 1", "\"frame\": " + number), "not a whole number from 1 to");
		for (final Map.Entry<String, String> w : wrong.entrySet()) {
			final Path file = folder.resolve("wrong.json");
			Files.writeString(file, w.getKey());
			final String message = assertThrows(IllegalArgumentException.class, () -> DriftFile.read(file)).getMessage();
			assertTrue(message.contains(w.getValue()) && message.contains("wrong.json is not a file of transforms") && !message.contains("\n"), message);
		}
	}

	@Test
	void bytesThatAreNoTextAreRefused() throws IOException {
		final Path file = folder.resolve("wrong.json");
		Files.write(file, new byte[] { '{', (byte) 0xff, '}' });
		final String message = assertThrows(IllegalArgumentException.class, () -> DriftFile.read(file)).getMessage();
		assertTrue(message.contains("it is not text in UTF-8"), message);
	}

	/** A person who reads the file sees which pixels the numbers are about. */
	@Test
	void theConventionNamesTheDeformation() {
		final List<FrameShift> frames = List.of(new FrameShift(0, new double[2], 1, 1, 0, Double.NaN, false, FrameShift.State.OK));
		final Drift shifted = new Drift(new long[] { 5, 4 }, "first", frames), deformed = new Drift(new long[] { 5, 4 }, "first", frames,
			new Deformation(new int[] { 1, 1 }, new double[2], new double[] { 8, 8 }, Collections.singletonList(new float[2][1])));
		assertTrue(DriftFile.text(shifted).contains("\"pixel x of the corrected frame is pixel x + shift of the recorded frame\""));
		assertTrue(DriftFile.text(deformed).contains("\"pixel x of the corrected frame is pixel x + shift + u(x) of the recorded frame\""));
	}

	@Test
	void jsonIsReadAsOthersReadIt() throws IOException {
		for (final String text : List.of("{}", "[]", " [1, -2.5e3, true, false, null, \"a\\\"\\u00e4\\n\"] ", "{\"a\": {\"b\": [[], {}]}}", "0")) JsonText.parse(text);
		for (final String text : List.of("", "{", "[1,]", "{\"a\"}", "01", "1.", "+1", "nul", "\"a", "\"\\x\"", "\"a\nb\"", "\"a\tb\"",
			"[1] 2", "[".repeat(500)))
			assertThrows(InputDataException.class, () -> JsonText.parse(text), text);
		assertEquals("a\"\u00e4\n", JsonText.parse("\"a\\\"\\u00e4\\n\""));
		assertEquals(-2500.0, JsonText.parse("-2.5e3"));
	}
}
