package sc.fiji.ncc.sink;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.IntegerType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedIntType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Best;

/** The greatest response of each lag and the number of its template, with the sinks that fill these images. */
public final class BestMaps implements FrameSinks<Best> {

	private final Precision precision;
	private final Img<? extends RealType<?>> score;
	private final Img<? extends IntegerType<?>> which;
	private final ResponseLayout layout;
	private final Undefined undefined;
	/** The arrays of score and which if each box is written once and the result lies in arrays; else null. */
	private final float[] scores;
	private final Buffer numbers;
	/** Whether undefined responses can still be NaN in the arrays. */
	private final AtomicBoolean merged = new AtomicBoolean();

	/**
	 * @param layout the layout of any template; the maps of all templates have the same size and origin
	 * @param precision the precision of the responses
	 * @param once whether all templates are computed together, so that each box is written once
	 */
	public BestMaps(final RandomAccessibleInterval<?> image, final ResponseLayout layout, final Precision precision, final int templates,
		final Undefined undefined, final boolean once)
	{
		this.precision = precision;
		this.layout = layout;
		this.undefined = undefined;
		final long[] size = ResponseMaps.size(image, layout);
		score = precision == Precision.SINGLE ? ResponseMaps.pixels(new FloatType(), size) : ResponseMaps.pixels(new DoubleType(), size);
		which = numbers(size, templates);
		final boolean inPlace = once && precision == Precision.SINGLE && score instanceof ArrayImg;
		scores = inPlace ? (float[]) array(score) : null;
		numbers = inPlace ? Buffers.of(array(which)) : null;
		if (inPlace) Arrays.fill(scores, undefined.value);
	}

	/** The array of an image of one array. */
	static Object array(final Img<?> image) {
		return ((ArrayDataAccess<?>) ((ArrayImg<?, ?>) image).update(null)).getCurrentStorageArray();
	}

	/** @throws IllegalArgumentException if the templates' maps differ in size or origin */
	public static void requireCongruent(final List<Template> templates, final List<ResponseLayout> layouts) {
		for (int t = 1; t < templates.size(); t++)
			if (!layouts.get(t).congruent(layouts.get(0))) throw new IllegalArgumentException("the templates of " + templates.get(0).size()
				+ " and " + templates.get(t).size() + " have maps of " + Size.of(layouts.get(0).size) + " and "
				+ Size.of(layouts.get(t).size)
				+ ", but the best of each lag needs equal maps: choose the extent same, a search window, or templates of one size");
	}

	/** An image for numbers up to this one. */
	static Img<? extends IntegerType<?>> numbers(final long[] size, final int maxNumber) {
		if (maxNumber <= 255) return ResponseMaps.pixels(new UnsignedByteType(), size);
		return maxNumber <= 65_535 ? ResponseMaps.pixels(new UnsignedShortType(), size) : ResponseMaps.pixels(new UnsignedIntType(), size);
	}

	@Override
	public Sink of(final TemplateBank bank, final long frame, final long[][] box) {
		return of(Arrays.stream(bank.indices()).map(t -> t + 1).toArray(), bank.layouts().get(0), frame, box);
	}

	/**
	 * @param templates the numbers of the templates
	 * @param a the layout of any of them
	 */
	@SuppressWarnings("unchecked") // frames have the type of their image
	private Sink of(final int[] templates, final ResponseLayout a, final long frame, final long[][] box) {
		final int n = a.size.length;
		if (scores != null) return inPlace(templates, a, frame, box);
		return new BestSink(precision, (RandomAccessibleInterval<? extends RealType<?>>) StackFrames.get(score, n, frame),
			(RandomAccessibleInterval<? extends IntegerType<?>>) StackFrames.get(which, n, frame), templates, this,
			ResponseMaps.place(a, box), Size.of(box[1]).toIntArray());
	}

	private Sink inPlace(final int[] templates, final ResponseLayout a, final long frame, final long[][] box) {
		final long[] place = ResponseMaps.place(a, box);
		final int[] size = Size.of(a.size).toIntArray(), strides = Boxes.strides(size);
		final int offset = (int) frame * Boxes.pixels(size) + Boxes.index(strides, place);
		return new BestInPlace(scores, numbers, templates, new BestInPlace.Place(offset, strides, Size.of(box[1]).toIntArray()),
			undefined.value, merged);
	}

	@Override
	public void begin(final RandomAccessibleInterval<?> frame, final long index) {
		// each frame writes every computed lag again; the others keep their value
		merged.set(false);
		if (scores != null) return;
		LoopBuilder.setImages(score).forEachPixel(p -> p.setReal(Float.NaN));
		LoopBuilder.setImages(which).forEachPixel(p -> p.setInteger(0));
	}

	/** Replaces NaN by the value for undefined responses. */
	@Override
	public Best finish(final Report report, final List<Ranking> rankings, final double seconds) {
		if (scores != null) {
			if (merged.get()) for (int i = 0; i < scores.length; i++) if (scores[i] != scores[i]) scores[i] = undefined.value;
		}
		else if (undefined.value == undefined.value) LoopBuilder.setImages(score).forEachPixel(p -> {
			if (Double.isNaN(p.getRealDouble())) p.setReal(undefined.value);
		});
		return new Best(score, which, ResponseMaps.origin(score.numDimensions(), layout), report, rankings, seconds);
	}
}
