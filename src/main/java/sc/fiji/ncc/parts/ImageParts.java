package sc.fiji.ncc.parts;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.run.BoxService;
import sc.fiji.ncc.run.Parts;
import sc.fiji.ncc.run.SlidingCall;

/**
 * The boxes of all frames of an image. Processes that make parts of one image with equal options number the boxes alike. Making parts reads no pixels. The first box
 * that is computed prepares an execution, which serves all later boxes. Any number of threads can compute boxes at the same time.
 */
public abstract class ImageParts implements Parts {

	/** The place of a part: the index of the bank of templates, the number of the frame, and the first lag and the size of the box. */
	record Place(int bank, long frame, long[][] box) {}

	private final SlidingCall op;
	private final RandomAccessibleInterval<?> image;
	private final long frames;
	private final List<ResponseLayout> layouts;
	private final List<TemplateBank> banks;
	private final List<BoxGrid> grids = new ArrayList<>();
	private final List<Ranking> rankings = new ArrayList<>();
	private BoxService service;

	ImageParts(final SlidingCall op, final RandomAccessibleInterval<?> image) {
		this.op = op;
		this.image = image;
		frames = StackFrames.count(op.dimensions(), image.dimensionsAsLongArray());
		layouts = op.layouts(image);
		banks = TemplateBank.of(op.templates(), layouts);
	}

	/** Divides the lags of each bank into boxes, and plans. */
	final void divide(final Function<TemplateBank, BoxGrid> division, final ToIntFunction<TemplateBank> maxBoxes, final Result kind) {
		for (final TemplateBank b : banks) {
			grids.add(division.apply(b));
			rankings.add(op.rank(image, b, grids.get(grids.size() - 1), frames, kind));
		}
		service = new BoxService(banks, rankings, banks.stream().mapToInt(maxBoxes).toArray(), op.monitor());
	}

	@Override
	public final Monitor monitor() {
		return op.monitor();
	}

	final SlidingCall op() {
		return op;
	}

	final List<ResponseLayout> layouts() {
		return layouts;
	}

	final List<TemplateBank> banks() {
		return banks;
	}

	final TemplateBank bank(final Place place) {
		return banks.get(place.bank);
	}

	final BoxService service() {
		return service;
	}

	final RandomAccessibleInterval<?> frame(final long index) {
		return StackFrames.get(image, op.dimensions(), index);
	}

	/** The number of frames. */
	public final long frames() {
		return frames;
	}

	@Override
	public long count() {
		long n = 0;
		for (final BoxGrid g : grids) n = Math.addExact(n, Math.multiplyExact(frames, g.count()));
		return n;
	}

	/** The number of responses of all boxes and templates. */
	public final long responses() {
		long n = 0;
		for (final TemplateBank b : banks) n += frames * b.responses();
		return n;
	}

	/** The place of a box. Bank by bank, then frame by frame, as one process computes them. */
	final Place place(final long index) {
		long rest = index;
		for (int b = 0; b < grids.size(); b++) {
			final long inFrame = grids.get(b).count(), all = frames * inFrame;
			if (rest < all) return new Place(b, rest / inFrame, grids.get(b).box(rest % inFrame));
			rest -= all;
		}
		throw new IndexOutOfBoundsException("box " + index + " of " + count());
	}

	/** The candidates of each bank, after the failures of devices in this process. */
	public final List<Ranking> rankings() {
		return service.rankings();
	}

	@Override
	public final String algorithms() {
		return algorithms(rankings());
	}

	/** The names of the algorithms that rankings have chosen. */
	public static String algorithms(final List<Ranking> rankings) {
		return rankings.stream().map(r -> r.best().map(Ranking.Candidate::name).orElse("?")).distinct().collect(Collectors.joining(" and "));
	}

	@Override
	public void close() {
		service.close();
	}
}
