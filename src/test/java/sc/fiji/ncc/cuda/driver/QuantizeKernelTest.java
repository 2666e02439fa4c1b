package sc.fiji.ncc.cuda.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.plan.ResponseType;

/**
 * The kernels that quantize responses give the numbers of {@link ResponseType}. They are compiled for the host, where a compiler is installed: see
 * {@code quantize.cpp}.
 */
class QuantizeKernelTest {

	private static final int ROWS = 3000, WIDTH = 97, PITCH = 112;

	@TempDir
	Path folder;

	/** Around each number of 16 bits, at random, beyond the limits, and NaN. */
	private static float response(final int i, final Random random) {
		if (i < 4 << 16) return (i / 4 - 32_768 + 0.25f * (i % 4)) / 32_767;
		final float[] special = { Float.NaN, 1, -1, Math.nextUp(1f), -1.5f, 0, -0f, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 1e9f, Float.MIN_VALUE };
		return i - (4 << 16) < special.length ? special[i - (4 << 16)] : 2 * random.nextFloat() - 1;
	}

	@Test
	void numbersAreThoseOfTheHost() throws IOException, InterruptedException {
		try {
			PtxBuild.run("g++", "--version");
		}
		catch (final IOException e) {
			Assumptions.abort("g++ is not installed");
		}
		final ByteBuffer bytes = ByteBuffer.allocate(4 * ROWS * PITCH).order(ByteOrder.nativeOrder());
		final FloatBuffer maps = bytes.asFloatBuffer();
		final float[] responses = new float[ROWS * WIDTH];
		final Random random = new Random(3);
		// the padding has a value of its own
		for (int i = 0; i < maps.capacity(); i++) maps.put(i, 0.7f);
		for (int i = 0; i < responses.length; i++) maps.put(i / WIDTH * PITCH + i % WIDTH, responses[i] = response(i, random));
		Files.write(folder.resolve("floats"), bytes.array());
		Files.writeString(folder.resolve("quantize.cu"), GpuKernelSource.of("quantize").replace("#include \"common.cuh\"\n", ""));
		final String program = folder.resolve("program").toString(), shorts = folder.resolve("shorts").toString(), eights = folder.resolve("bytes").toString();
		PtxBuild.run("g++", "-std=gnu++17", "-O1", "-ffp-contract=off", "-I" + folder, "-o", program, "src/test/resources/sc/fiji/ncc/cuda/quantize.cpp");
		PtxBuild.run(program, folder.resolve("floats").toString(), "" + responses.length, "" + WIDTH, "" + PITCH, shorts, eights);
		final ShortBuffer sixteen = ByteBuffer.wrap(Files.readAllBytes(Path.of(shorts))).order(ByteOrder.nativeOrder()).asShortBuffer();
		final byte[] eight = Files.readAllBytes(Path.of(eights));
		assertEquals(responses.length, sixteen.capacity());
		assertEquals(responses.length, eight.length);
		for (int i = 0; i < responses.length; i++) {
			assertEquals(ResponseType.BITS_16.quantize(responses[i]), sixteen.get(i) & 0xffff, "16 bits of " + responses[i]);
			assertEquals(ResponseType.BITS_8.quantize(responses[i]), eight[i] & 0xff, "8 bits of " + responses[i]);
		}
	}
}
