package sc.fiji.ncc.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedShortType;

import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgproc;
import org.bytedeco.opencv.opencv_core.Mat;
import org.bytedeco.opencv.opencv_core.Point2d;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.Registration;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.result.Drift;

/**
 * The accuracy and the speed of drift correction. Accuracy: pairs of frames with photon noise and bleaching against the bound of Cramér and Rao, and the references
 * {@code previous} and {@code multi} over many frames. Speed: milliseconds a frame by turns with OpenCV's {@code phaseCorrelate}, which is given frames of floats.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.DriftBench
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.DriftBench -Dexec.args="--part speed --size 512,1024 --threads 2"
 * </pre>
 */
@Command(name = "DriftBench", mixinStandardHelpOptions = true, sortOptions = false)
public final class DriftBench implements Callable<Integer> {

	private static final double CONTRAST = 0.3;

	@Option(names = "--part", split = ",", defaultValue = "pairs,walk,speed,volumes", description = "pairs, walk, speed, volumes: ${DEFAULT-VALUE}")
	private List<String> parts;
	@Option(names = "--pairs", defaultValue = "60", description = "pairs of each kind: ${DEFAULT-VALUE}")
	private int pairs;
	@Option(names = "--side", defaultValue = "256", description = "side of the frames of pairs: ${DEFAULT-VALUE}")
	private int side;
	@Option(names = "--photons", split = ",", defaultValue = "20,50,100,200,500,1000", description = "photons a pixel of pairs: ${DEFAULT-VALUE}")
	private double[] photonCounts;
	@Option(names = "--brightness", split = ",", defaultValue = "1,0.6,0.3", description = "brightness of the second frame of pairs: ${DEFAULT-VALUE}")
	private double[] brightness;
	@Option(names = "--walk", defaultValue = "500", description = "frames of the random walk: ${DEFAULT-VALUE}")
	private int walk;
	@Option(names = "--size", split = ",", defaultValue = "512,1024", description = "sides of frames for the speed: ${DEFAULT-VALUE}")
	private int[] sizes;
	@Option(names = "--max-shift", split = ",", defaultValue = "40,-1", description = "maximum shifts for the speed, -1 for as the overlap allows: ${DEFAULT-VALUE}")
	private int[] maxShifts;
	@Option(names = "--frames", defaultValue = "32", description = "frames for the speed: ${DEFAULT-VALUE}")
	private int frames;
	@Option(names = "--threads", defaultValue = "2", description = "threads: ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--repeats", defaultValue = "5", description = "measured runs: ${DEFAULT-VALUE}")
	private int repeats;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] args) {
		final int code = new CommandLine(new DriftBench()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		csv.columns("frame", "type", "threads", "method", "ms_a_frame", "least_ms_a_frame", "opencv_over_it", "processor_ms_a_frame");
		if (parts.contains("pairs")) pairs();
		if (parts.contains("walk")) walk();
		if (parts.contains("speed")) for (final int size : sizes) speed(size);
		if (parts.contains("volumes")) volumes();
		csv.write();
		return 0;
	}

	private void pairs() {
		System.out.printf("%d pairs of %dx%d pixels, contrast %.1f, texture of sigma 1.3 pixels; root mean square error along a dimension in pixels%n", pairs, side, side, CONTRAST);
		System.out.printf("%8s %10s %10s %10s %8s %12s%n", "photons", "brightness", "rms", "bound", "ratio", "wrong pixels");
		final DriftTexture texture = new DriftTexture(side + 44, side + 44, 1.3, 1);
		for (final double bleached : brightness)
			for (final double photons : photonCounts) {
				final Random random = new Random(7);
				double sum = 0;
				int wrong = 0;
				for (int i = 0; i < pairs; i++) {
					final int dx = random.nextInt(64) - 32, dy = random.nextInt(64) - 32;
					final Alignment a = Registration.of(image(texture, 0, 0, photons, random)).register(image(texture, dx, dy, photons * bleached, random));
					final double ex = a.shift()[0] - dx / 8.0, ey = a.shift()[1] - dy / 8.0;
					if (Math.abs(ex) > 1 || Math.abs(ey) > 1) wrong++;
					else sum += ex * ex + ey * ey;
				}
				final float[] before = texture.frame(159, 160, side, side), after = texture.frame(161, 160, side, side);
				double gradient = 0;
				for (int i = 0; i < before.length; i++) gradient += Math.pow(CONTRAST * photons * 4 * (after[i] - before[i]), 2);
				final double rms = Math.sqrt(sum / (pairs - wrong) / 2), bound = Math.sqrt(photons * (1 + 1 / bleached) / gradient);
				System.out.printf("%8.0f %10.1f %10.4f %10.4f %8.2f %12d%n", photons, bleached, rms, bound, rms / bound, wrong);
			}
	}

	private ArrayImg<UnsignedShortType, ?> image(final DriftTexture texture, final int dx, final int dy, final double photons, final Random random) {
		return ArrayImgs.unsignedShorts(DriftTexture.photons(texture.frame(160 - dx, 160 - dy, side, side), photons, CONTRAST, random), side, side);
	}

	/** Frames that walk at random within 12 pixels and bleach to 30 %. */
	private void walk() {
		final DriftTexture texture = new DriftTexture(300, 300, 1.3, 1);
		final Random random = new Random(8);
		final int[][] place = new int[walk][2];
		final short[][] stack = new short[walk][];
		for (int t = 0; t < walk; t++) {
			for (int d = 0; d < 2 && t > 0; d++) place[t][d] = Math.max(-100, Math.min(100, place[t - 1][d] + random.nextInt(9) - 4));
			stack[t] = DriftTexture.photons(texture.frame(160 - place[t][0], 160 - place[t][1], 256, 256), 200 * (1 - 0.7 * t / (walk - 1)), CONTRAST, random);
		}
		System.out.printf("%d frames of 256x256 pixels, 200 photons a pixel that bleach to 30 %%; root mean square error along a dimension in pixels%n", walk);
		for (final DriftReference reference : new DriftReference[] { DriftReference.PREVIOUS, DriftReference.FIRST, DriftReference.MEAN, DriftReference.MULTI }) {
			final long start = System.nanoTime();
			final Drift drift = DriftCorrection.ofFrames(2).reference(reference).maxShift(40, 40).threads(threads).measure(DriftTexture.stack(stack, 256, 256));
			final double seconds = 1e-9 * (System.nanoTime() - start);
			double sum = 0;
			for (int t = 0; t < walk; t++)
				for (int d = 0; d < 2; d++) sum += Math.pow(drift.frames().get(t).shift()[d] - (place[t][d] - place[0][d]) / 8.0, 2);
			System.out.printf("%10s %10.4f   %.1f frames/s%n", reference, Math.sqrt(sum / walk / 2), walk / seconds);
		}
	}

	private void speed(final int size) {
		final DriftTexture texture = new DriftTexture(Math.min(1100, size + 24), Math.min(1100, size + 24), 1.3, 2);
		final Random random = new Random(9);
		final short[][] stack = new short[frames][];
		final List<Mat> mats = new ArrayList<>();
		for (int t = 0; t < frames; t++) {
			stack[t] = DriftTexture.photons(texture.frame(60 + random.nextInt(60), 60 + random.nextInt(60), size, size), 200, CONTRAST, random);
			final Mat mat = new Mat(size, size, opencv_core.CV_32FC1);
			final float[] values = new float[size * size];
			for (int i = 0; i < values.length; i++) values[i] = stack[t][i] & 0xffff;
			new FloatPointer(mat.data()).put(values);
			mats.add(mat);
		}
		opencv_core.setNumThreads(threads);
		final RandomAccessibleInterval<UnsignedShortType> image = DriftTexture.stack(stack, size, size);
		final List<String> names = new ArrayList<>(List.of("OpenCV phaseCorrelate"));
		final List<Runnable> runs = new ArrayList<>();
		final Mat none = new Mat();
		runs.add(() -> {
			for (int t = 1; t < frames; t++) {
				final Point2d p = opencv_imgproc.phaseCorrelate(mats.get(0), mats.get(t), none, (DoublePointer) null);
				p.close();
			}
		});
		for (final int most : maxShifts)
			for (final DriftReference reference : new DriftReference[] { DriftReference.FIRST, DriftReference.MULTI }) {
				names.add(reference + ", max shift " + (most < 0 ? "any" : most));
				runs.add(() -> correction(reference, most).measure(image));
			}
		names.add("first, max shift " + maxShifts[0] + ", and linear correction");
		runs.add(() -> {
			final Img<?> corrected = DriftCorrection.correct(image, 2, correction(DriftReference.FIRST, maxShifts[0]).measure(image), Interpolation.LINEAR, Outside.BLACK);
			final ImagePixels pixels = ImagePixels.of(corrected);
			for (int t = 0; t < frames; t++) pixels.read(new long[] { 0, 0, t }, new int[] { size, size, 1 }, pixels.type().allocate(size * size));
		});
		final double[][][] times = Turns.both(runs, 3, repeats);
		final double[][] ms = times[0], processor = times[1];
		System.out.printf("%d frames of %dx%d pixels, %d threads; milliseconds a frame, median and least of %d runs by turns, and least processor time of all threads%n", frames, size, size,
			threads, repeats);
		for (int i = 0; i < ms.length; i++) {
			System.out.printf("%-45s %9.2f %9.2f   OpenCV / it %.2f   processor %9.2f   OpenCV / it %.2f%n", names.get(i), Turns.median(ms[i]) / frames, ms[i][0] / frames, ms[0][0] / ms[i][0],
				processor[i][0] / frames, processor[0][0] / processor[i][0]);
			csv.row(size + "x" + size, "16 bit", threads, names.get(i), Turns.median(ms[i]) / frames, ms[i][0] / frames, ms[0][0] / ms[i][0], processor[i][0] / frames);
		}
		mats.forEach(Mat::close);
	}

	private DriftCorrection correction(final DriftReference reference, final int most) {
		final DriftCorrection correction = DriftCorrection.ofFrames(2).reference(reference).threads(threads);
		return most < 0 ? correction : correction.maxShift(most, most);
	}

	private void volumes() {
		final double[][] shifts = new double[8][3];
		for (int t = 1; t < shifts.length; t++) for (int d = 0; d < 3; d++) shifts[t][d] = shifts[t - 1][d] + 0.3 * (d + 1);
		final RandomAccessibleInterval<UnsignedShortType> small = new MovingTexture(3, 1).stack(new UnsignedShortType(), shifts, new long[] { 256, 256, 64 }, 1000, 150, 20);
		final List<Runnable> runs = new ArrayList<>();
		for (final boolean projections : new boolean[] { false, true }) {
			final DriftCorrection correction = DriftCorrection.ofFrames(3).reference(DriftReference.FIRST).maxShift(20, 20, 10).projections(projections).threads(threads);
			runs.add(() -> correction.measure(small));
		}
		final double[][][] times = Turns.both(runs, 3, repeats);
		final double[][] ms = times[0], processor = times[1];
		for (int i = 0; i < 2; i++)
			System.out.printf("volumes of 256x256x64, %d threads, %s: %.2f volumes/s, processor %.1f ms a volume; best of %d runs by turns%n", threads, i == 0 ? "full" : "projections",
				1000 * shifts.length / ms[i][0], processor[i][0] / shifts.length, repeats);
	}
}
