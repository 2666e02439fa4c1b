package sc.fiji.ncc.bench;

import java.util.List;

import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgproc;
import org.bytedeco.opencv.opencv_core.Mat;

/** OpenCV's {@code matchTemplate} (TM_CCOEFF_NORMED) of one template with one picture after the other. Pictures and map are allocated once. */
public final class OpenCv implements AutoCloseable {

	private final List<Mat> images;
	private final Mat template, map = new Mat();

	/** @param threads for all of OpenCV in this process */
	public OpenCv(final List<Pixmap> images, final Pixmap template, final int threads) {
		opencv_core.setNumThreads(threads);
		this.images = images.stream().map(OpenCv::mat).toList();
		this.template = mat(template);
	}

	private static Mat mat(final Pixmap picture) {
		final Mat mat = new Mat(picture.height(), picture.width(), picture.floats() ? opencv_core.CV_32FC1 : opencv_core.CV_8UC1);
		if (picture.floats()) new FloatPointer(mat.data()).put(picture.values());
		else mat.data().put(picture.bytes());
		return mat;
	}

	public void run() {
		for (final Mat image : images) opencv_imgproc.matchTemplate(image, template, map, opencv_imgproc.TM_CCOEFF_NORMED);
	}

	/** A copy of the last picture's responses, x fastest. */
	public float[] map() {
		final float[] copy = new float[map.rows() * map.cols()];
		new FloatPointer(map.data()).get(copy);
		return copy;
	}

	@Override
	public void close() {
		images.forEach(Mat::close);
		template.close();
		map.close();
	}
}
