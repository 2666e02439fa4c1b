package sc.fiji.ncc.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgproc;
import org.bytedeco.opencv.opencv_core.Mat;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.pose.PoseGrid;
import sc.fiji.ncc.result.PosesFound;

/**
 * What a search over all angles costs: by the basis, by all poses with the own bank, and by OpenCV's {@code matchTemplate} with a mask, called once an angle.
 * OpenCV is timed for a few angles, and its time multiplied. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.PoseBench
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.PoseBench -Dexec.args="--image 1000x1000 --radius 25 --scales 9"
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.PoseBench -Dexec.args="--image 128 --radius 8 --rotations 15"
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.PoseBench -Dexec.args="--image 1000x1000 --content noise --min-score 0.1,0.2,0.3,0.4 --no-basis --open-cv 0"
 * </pre>
 */
@Command(name = "PoseBench", mixinStandardHelpOptions = true, sortOptions = false)
public final class PoseBench implements Callable<Integer> {

	private static final String AUTO = "auto";

	@Option(names = "--image", defaultValue = "2000x2000", description = "size of the image, u8: ${DEFAULT-VALUE}")
	private String image;
	@Option(names = "--radius", defaultValue = "25", description = "of the disk: ${DEFAULT-VALUE}")
	private int radius;
	@Option(names = "--angles", defaultValue = "360", description = "number of angles: ${DEFAULT-VALUE}")
	private int angles;
	@Option(names = "--scales", defaultValue = "1", description = "number of scales, by factors of 1.05: ${DEFAULT-VALUE}")
	private int scales;
	@Option(names = "--min-score", split = ",", defaultValue = "0.7", description = "${DEFAULT-VALUE}")
	private double[] minScores;
	@Option(names = "--content", defaultValue = "blobs", description = "blobs or noise: ${DEFAULT-VALUE}")
	private String content;
	@Option(names = "--threads", defaultValue = "2", description = "${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--repeats", defaultValue = "3", description = "measured calls of each: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--open-cv", defaultValue = "2", description = "angles that OpenCV computes; 0 for none: ${DEFAULT-VALUE}")
	private int openCvAngles;
	@Option(names = "--bank", negatable = true, defaultValue = "true", fallbackValue = "true", description = "whether all poses are timed too: ${DEFAULT-VALUE}")
	private boolean bank;
	@Option(names = "--part", defaultValue = "1", description = "all poses and the bank have one of so many angles, and their times are multiplied: ${DEFAULT-VALUE}")
	private int part;
	@Option(names = "--basis", negatable = true, defaultValue = "true", fallbackValue = "true", description = "whether the basis is timed too, also if it is not planned: ${DEFAULT-VALUE}")
	private boolean basis;
	@Option(names = "--backend", defaultValue = "cpu", description = "for the planned search: ${DEFAULT-VALUE}")
	private String backend;

	@Option(names = "--rotations", paramLabel = "STEP",
		description = "in place of an image a volume, f32, and all rotations about STEP degrees apart; --image is its side")
	private Double rotations;
	@Option(names = "--sampled", defaultValue = "60", description = "rotations that the own bank computes with --rotations; its time is multiplied: ${DEFAULT-VALUE}")
	private int sampled;

	public static void main(final String[] args) {
		final int code = new CommandLine(new PoseBench()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() {
		System.out.println(Machine.describe());
		if (rotations != null) {
			for (final double minScore : minScores) volume(Integer.parseInt(image), minScore);
			return 0;
		}
		final int[] size = Pixmap.size(image);
		final Pixmap image = new Pixmap(pixels(size[0], size[1]), size[0], size[1], false);
		final int side = 2 * radius + 1;
		final Pixmap template = image.cut(side, side);
		for (final double minScore : minScores) measure(image, template, minScore);
		return 0;
	}

	/** A ball from the middle of a volume of blobs, in all rotations. */
	private void volume(final int side, final double minScore) {
		final float[] values = blobs(side);
		final RandomAccessibleInterval<?> volume = ArrayImgs.floats(values, side, side, side);
		final long from = side / 2 - radius, to = side / 2 + radius;
		final RandomAccessibleInterval<?> ball = Views.zeroMin(Views.interval(ArrayImgs.floats(values, side, side, side), new long[] { from, from, from }, new long[] { to, to, to }));
		final List<double[]> all = PoseGrid.uniformRotations(rotations), some = new ArrayList<>();
		for (int i = 0; i < sampled; i++) some.add(all.get((int) ((long) i * all.size() / sampled)));
		final PosesFound[] found = new PosesFound[2];
		final List<Runnable> ways = List.of(() -> found[0] = volume(ball, all, minScore, AUTO).find(volume),
			() -> found[1] = volume(ball, some, minScore, "cpu-every-pose").find(volume));
		final double[][][] both = Turns.both(ways, 0, repeats);
		System.out.printf(Locale.ROOT, "%d x %d x %d f32, ball of radius %d, %d rotations, score >= %.2f, %d threads; least of %d, ms%n", side, side, side, radius, all.size(), minScore,
			threads, repeats);
		for (int kind = 0; kind < 2; kind++) {
			final double bank = both[kind][1][0] * all.size() / sampled;
			System.out.printf(Locale.ROOT, "  %s: planned %.0f, all poses %.0f (%d of its rotations timed; %.1fx)%n", kind == 0 ? "time" : "processor time", both[kind][0][0], bank, sampled,
				bank / both[kind][0][0]);
		}
		System.out.println("  " + found[0].matches().size() + " matches; " + found[0].plan().methods() + "; " + String.join("; ", found[0].plan().lines()) + "; all poses by " + found[1].plan().methods());
	}

	/** Noise after three running means of 5 pixels along each axis. */
	private static float[] blobs(final int side) {
		final SplittableRandom random = new SplittableRandom(1);
		float[] v = new float[side * side * side];
		for (int i = 0; i < v.length; i++) v[i] = random.nextFloat();
		for (int pass = 0; pass < 3; pass++) for (int stride = 1; stride < v.length; stride *= side) {
			final float[] mean = new float[v.length];
			for (int i = 0; i < v.length; i++) {
				final int at = i / stride % side;
				for (int k = -2; k <= 2; k++) mean[i] += v[i + (Math.floorMod(at + k, side) - at) * stride] / 5;
			}
			v = mean;
		}
		return v;
	}

	private PoseSearch volume(final RandomAccessibleInterval<?> ball, final List<double[]> turns, final double minScore, final String algorithm) {
		return PoseSearch.of(ball).rotations(turns).minScore(minScore).refine(false).threads(threads).algorithm(algorithm)
			.backend(algorithm.equals(AUTO) ? backend : "cpu");
	}

	private float[] pixels(final int w, final int h) {
		if (content.equals("blobs")) return Texture.blobs(w, h, 1);
		final SplittableRandom random = new SplittableRandom(1);
		final float[] v = new float[w * h];
		for (int i = 0; i < v.length; i++) v[i] = random.nextInt(256);
		return v;
	}

	private PoseSearch search(final Pixmap template, final double minScore, final String algorithm) {
		return PoseSearch.of(template.img()).angleRange(0, 360, 360.0 / (algorithm.equals("cpu-every-pose") ? angles / part : angles))
			.scaleRange(Math.pow(1.05, -(scales / 2)), Math.pow(1.05, (scales - 1) / 2 + 1e-6), 1.05).minScore(minScore)
			.refine(false).threads(threads).algorithm(algorithm).backend(algorithm.equals(AUTO) ? backend : "cpu");
	}

	private void measure(final Pixmap image, final Pixmap template, final double minScore) {
		final RandomAccessibleInterval<?> img = image.img();
		final PosesFound[] found = new PosesFound[3];
		final List<Runnable> ways = new ArrayList<>();
		ways.add(() -> found[0] = search(template, minScore, AUTO).find(img));
		ways.add(() -> found[1] = basis ? search(template, minScore, "cpu-bounded").find(img) : found[0]);
		if (bank) {
			ways.add(() -> found[2] = search(template, minScore, "cpu-every-pose").find(img));
			final NormalizedCrossCorrelation engine = bank(image, template.width());
			ways.add(() -> engine.best(img));
		}
		try (Peer peer = openCvAngles > 0 ? new Peer(image, template, disk(), threads) : null) {
			if (peer != null) ways.add(() -> {
				for (int a = 0; a < openCvAngles; a++) peer.match();
			});
			final double[][][] both = Turns.both(ways, 0, repeats);
			System.out.printf(Locale.ROOT, "%s %s, radius %d, %d angles x %d scales, score >= %.2f, %d threads; least of %d, ms%n",
				this.image, content, radius, angles, scales, minScore,
				threads, repeats);
			print("time", both[0]);
			print("processor time", both[1]);
			System.out.println("  " + found[0].matches().size() + " matches, " + (bank && part == 1 ? same(found[1], found[2]) : "") + "; " + String.join("; ", found[0].plan().lines()));
		}
	}

	private void print(final String kind, final double[][] ms) {
		final double search = ms[basis ? 1 : 0][0];
		if (bank) for (int i = 2; i < 4; i++) ms[i][0] *= part;
		System.out.printf(Locale.ROOT, "  %s: planned %.0f", kind, ms[0][0]);
		if (basis) System.out.printf(Locale.ROOT, ", basis %.0f", search);
		if (bank) System.out.printf(Locale.ROOT, ", all poses %.0f (%.1fx; planned to it %.2f), bank of the engine %.0f (%.1fx; planned to it %.2f)", ms[2][0], ms[2][0] / search,
			ms[0][0] / ms[2][0], ms[3][0], ms[3][0] / search, ms[0][0] / ms[3][0]);
		if (openCvAngles > 0) {
			final double all = ms[ms.length - 1][0] / openCvAngles * angles * scales;
			System.out.printf(Locale.ROOT, ", OpenCV with a mask %.0f (%d of its angles timed; %.1fx)", all, openCvAngles, all / search);
		}
		System.out.println();
	}

	/** As many templates as there are poses, for the time of the engine alone: the greatest response of each lag. */
	private NormalizedCrossCorrelation bank(final Pixmap image, final int side) {
		final List<RandomAccessibleInterval<?>> templates = new ArrayList<>();
		for (int i = 0; i < angles / part * scales; i++) {
			final float[] values = new float[side * side];
			for (int y = 0; y < side; y++) System.arraycopy(image.values(), (i % 100 + y) * image.width() + i / 100, values, y * side, side);
			templates.add(ArrayImgs.floats(values, side, side));
		}
		return NormalizedCrossCorrelation.of(templates).mask(disk().img()).threads(threads).backend("cpu");
	}

	private static String same(final PosesFound a, final PosesFound b) {
		int differences = Math.abs(a.matches().size() - b.matches().size());
		for (int i = 0; i < Math.min(a.matches().size(), b.matches().size()); i++)
			if (!a.matches().get(i).toString().equals(b.matches().get(i).toString())) differences++;
		return differences + " differences between the search and all poses";
	}

	private Pixmap disk() {
		final int side = 2 * radius + 1;
		final float[] v = new float[side * side];
		for (int i = 0; i < v.length; i++) v[i] = Math.hypot(i % side - radius, i / side - radius) <= radius ? 1 : 0;
		return new Pixmap(v, side, side, true);
	}

	/** OpenCV with a mask. It is loaded only if it is timed. */
	private static final class Peer implements AutoCloseable {

		private final Mat image, template, mask, map = new Mat();

		Peer(final Pixmap image, final Pixmap template, final Pixmap mask, final int threads) {
			this.image = mat(image);
			this.template = mat(template);
			this.mask = mat(mask);
			opencv_core.setNumThreads(threads);
		}

		void match() {
			opencv_imgproc.matchTemplate(image, template, map, opencv_imgproc.TM_CCOEFF_NORMED, mask);
		}

		private static Mat mat(final Pixmap p) {
			final Mat mat = new Mat(p.height(), p.width(), opencv_core.CV_32FC1);
			new FloatPointer(mat.data()).put(p.values());
			return mat;
		}

		@Override
		public void close() {
			for (final Mat m : new Mat[] { image, template, mask, map }) m.close();
		}
	}
}
