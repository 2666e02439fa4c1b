package sc.fiji.ncc.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.document.Origin;

/**
 * From the start of a Java process to its end, with one 512x512 image and a template of 32x32 in between: the median over new processes.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.ColdStart
 * </pre>
 */
public final class ColdStart {

	private static final int PROCESSES = 11;

	private ColdStart() {}

	public static void main(final String[] args) throws IOException, InterruptedException {
		if (args.length > 0 && args[0].equals("once")) correlate();
		else processes(args.length == 2 && args[0].equals("--csv") ? Path.of(args[1]) : null);
	}

	private static void correlate() {
		final byte[] noise = new byte[512 * 512];
		new Random(1).nextBytes(noise);
		final Img<UnsignedByteType> image = ArrayImgs.unsignedBytes(noise, 512, 512);
		final float self = NormalizedCrossCorrelation.of(Views.interval(image, new long[] { 100, 90 }, new long[] { 131, 121 })).correlate(image)
			.map().getAt(100, 90).get();
		if (self != 1) throw new AssertionError("the template fits itself with " + self);
	}

	private static void processes(final Path csv) throws IOException, InterruptedException {
		final String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		// under exec:java the class path is the class loader's
		final String path = place(ColdStart.class) + File.pathSeparator + place(NormalizedCrossCorrelation.class) + File.pathSeparator + place(Img.class);
		final double[] seconds = new double[PROCESSES];
		for (int i = 0; i < PROCESSES; i++) {
			final long start = System.nanoTime();
			final int code = new ProcessBuilder(java, "-cp", path, ColdStart.class.getName(), "once").inheritIO().start().waitFor();
			seconds[i] = 1e-9 * (System.nanoTime() - start);
			if (code != 0) throw new AssertionError("exit code " + code);
		}
		Arrays.sort(seconds);
		System.out.printf("512x512 with 32x32, from the start of a process to its end: median %.2f s, least %.2f, most %.2f (%s)%n",
			seconds[PROCESSES / 2], seconds[0], seconds[PROCESSES - 1], Machine.describe());
		if (csv == null) return;
		final DocumentTable table = new DocumentTable(Origin.here("", "bench ColdStart"), "image", "template", "type", "processes", "median_s", "least_s", "most_s");
		table.row("512x512", "32x32", "8 bit", PROCESSES, seconds[PROCESSES / 2], seconds[0], seconds[PROCESSES - 1]);
		final Path file = csv.toAbsolutePath();
		table.write(file.getParent(), file.getFileName().toString().replace(".csv", ""));
	}

	private static String place(final Class<?> c) {
		return new File(c.getProtectionDomain().getCodeSource().getLocation().getPath()).getPath();
	}
}
