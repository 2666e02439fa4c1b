package sc.fiji.ncc.bench;

import java.util.List;

import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgproc;
import org.bytedeco.opencv.opencv_core.Mat;
import org.bytedeco.opencv.opencv_core.Point;
import org.bytedeco.opencv.opencv_core.Point2d;
import org.bytedeco.opencv.opencv_core.Rect;
import org.bytedeco.opencv.opencv_core.Size;

import sc.fiji.ncc.plan.support.Parallel;

/** OpenCV's {@code matchTemplate} (TM_CCOEFF_NORMED) of one template with one image after the other. Images and map are allocated once. */
public final class OpenCv implements AutoCloseable {

	private final List<Mat> images;
	private final Mat template, mask, map = new Mat();

	/** @param threads for all of OpenCV in this process */
	public OpenCv(final List<Pixmap> images, final Pixmap template, final int threads) {
		this(images, template, null, threads);
	}

	/** @param mask of bytes, of the template's size; not 0 where a pixel counts. Null: all count */
	public OpenCv(final List<Pixmap> images, final Pixmap template, final Pixmap mask, final int threads) {
		opencv_core.setNumThreads(threads);
		this.images = images.stream().map(OpenCv::mat).toList();
		this.template = mat(template);
		this.mask = mask == null ? new Mat() : mat(mask);
	}

	private static Mat mat(final Pixmap image) {
		final Mat mat = new Mat(image.height(), image.width(), image.floats() ? opencv_core.CV_32FC1 : opencv_core.CV_8UC1);
		if (image.floats()) new FloatPointer(mat.data()).put(image.values());
		else mat.data().put(image.bytes());
		return mat;
	}

	public void run() {
		for (final Mat image : images) opencv_imgproc.matchTemplate(image, template, map, opencv_imgproc.TM_CCOEFF_NORMED, mask);
	}

	/** The windows of one image that are searched in another one, a call of {@code matchTemplate} and of {@code minMaxLoc} each, on several threads of Java. */
	public static final class Windows implements AutoCloseable {

		private final Mat fixed, moving;
		private final int window, spacing, shift;
		private final Parallel parallel;

		/** @param shift the largest shift; only windows whose search lies inside are searched */
		public Windows(final Pixmap fixed, final Pixmap moving, final int window, final int spacing, final int shift, final int threads) {
			opencv_core.setNumThreads(1);
			this.fixed = mat(fixed);
			this.moving = mat(moving);
			this.window = window;
			this.spacing = spacing;
			this.shift = shift;
			parallel = new Parallel(threads);
		}

		/** Searches all windows. Returns their number. */
		public int run() {
			final int first = (shift + spacing - 1) / spacing, rows = (fixed.rows() - window - shift) / spacing - first + 1, columns = (fixed.cols() - window - shift)
				/ spacing - first + 1;
			parallel.each(rows, r -> {
				final int y = (first + r) * spacing;
				try (Mat map = new Mat(); Point best = new Point(); DoublePointer most = new DoublePointer(1); Mat none = new Mat()) {
					for (int c = 0; c < columns; c++) {
						final int x = (first + c) * spacing;
						try (Rect cut = new Rect(x, y, window, window); Rect around = new Rect(x - shift, y - shift, window + 2 * shift, window + 2 * shift);
								Mat template = new Mat(fixed, cut); Mat image = new Mat(moving, around)) {
							opencv_imgproc.matchTemplate(image, template, map, opencv_imgproc.TM_CCOEFF_NORMED);
							opencv_core.minMaxLoc(map, null, most, null, best, none);
						}
					}
				}
			});
			return rows * columns;
		}

		@Override
		public void close() {
			fixed.close();
			moving.close();
			parallel.close();
		}
	}

	/** A copy of the last image's responses, x fastest. */
	public float[] map() {
		final float[] copy = new float[map.rows() * map.cols()];
		new FloatPointer(map.data()).get(copy);
		return copy;
	}

	/** The shift of one image of floats against another of the same size by {@code phaseCorrelate}, along x and y, and its response. */
	public static double[] shift(final Pixmap fixed, final Pixmap moving) {
		final double[] response = new double[1];
		try (Mat a = mat(fixed); Mat b = mat(moving); Mat window = new Mat(); Point2d shift = opencv_imgproc.phaseCorrelate(a, b, window, response)) {
			return new double[] { shift.x(), shift.y(), response[0] };
		}
	}

	/** An image of floats after a Gaussian of this standard deviation in pixels. */
	public static Pixmap blurred(final Pixmap image, final double sigma) {
		try (Mat from = mat(image); Mat to = new Mat(); Size fromSigma = new Size(0, 0)) {
			opencv_imgproc.GaussianBlur(from, to, fromSigma, sigma);
			final float[] values = new float[image.values().length];
			new FloatPointer(to.data()).get(values);
			return new Pixmap(values, image.width(), image.height(), true);
		}
	}

	/** The version, as in 4.13.0. */
	public static String version() {
		return opencv_core.getVersionString().getString().replaceAll("[^\\w.-]", "");
	}

	@Override
	public void close() {
		images.forEach(Mat::close);
		template.close();
		mask.close();
		map.close();
	}
}
