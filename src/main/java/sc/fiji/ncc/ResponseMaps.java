package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.basictypeaccess.array.FloatArray;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;

/** The maps of all templates, and the sinks that fill them. */
final class ResponseMaps implements Sinks {

	private final List<Img<FloatType>> maps = new ArrayList<>();
	private final List<float[]> arrays = new ArrayList<>();
	private final List<Arrangement> arrangements;
	private final float undefined;
	private final int images;

	/** @param arrangements one a template, over the image */
	ResponseMaps(final RandomAccessibleInterval<?> image, final List<Arrangement> arrangements, final Undefined undefined) {
		this.arrangements = arrangements;
		this.undefined = undefined.value;
		images = image.numDimensions();
		for (final Arrangement a : arrangements) {
			final Img<FloatType> map = floats(size(image, a));
			if (a.hasUndefinedBorder() && undefined != Undefined.ZERO) LoopBuilder.setImages(map).forEachPixel(p -> p.set(undefined.value));
			maps.add(map);
			arrays.add(map instanceof ArrayImg ? ((FloatArray) ((ArrayImg<?, ?>) map).update(null)).getCurrentStorageArray() : null);
		}
	}

	/** The extents of a map over an image. */
	static long[] size(final RandomAccessibleInterval<?> image, final Arrangement a) {
		final long[] size = image.dimensionsAsLongArray();
		System.arraycopy(a.size, 0, size, 0, a.size.length);
		return size;
	}

	/** Where a map over an image begins. */
	static long[] origin(final int dimensions, final Arrangement a) {
		final long[] origin = new long[dimensions];
		System.arraycopy(a.origin, 0, origin, 0, a.origin.length);
		return origin;
	}

	static Img<FloatType> floats(final long[] size) {
		return Size.of(size).pixels() <= Integer.MAX_VALUE - 8 ? ArrayImgs.floats(size) : new CellImgFactory<>(new FloatType(), 256).create(size);
	}

	/** Where the responses of a box lie in the map. */
	static long[] place(final Arrangement a, final long[][] box) {
		final long[] place = a.place.clone();
		for (int d = 0; d < place.length; d++) place[d] += box[0][d];
		return place;
	}

	@Override
	public Sink of(final TemplateBank bank, final long frame, final long[][] box) {
		final List<MapSink> sinks = new ArrayList<>();
		for (final int t : bank.indices()) {
			final Arrangement a = arrangements.get(t);
			@SuppressWarnings("unchecked") // a frame of a map of floats
			final RandomAccessibleInterval<FloatType> target =
				(RandomAccessibleInterval<FloatType>) NormalizedCrossCorrelation.frame(maps.get(t), a.size.length, frame);
			final float[] array = arrays.get(t);
			sinks.add(new MapSink(target, array, array == null ? 0 : frame * Size.of(a.size).pixels(), place(a, box), undefined));
		}
		return new BankSink(undefined, sinks);
	}

	List<Img<FloatType>> maps() {
		return List.copyOf(maps);
	}

	List<long[]> origins() {
		final List<long[]> origins = new ArrayList<>();
		for (final Arrangement a : arrangements) origins.add(origin(images, a));
		return origins;
	}
}
