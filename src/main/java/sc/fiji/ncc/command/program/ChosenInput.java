package sc.fiji.ncc.command.program;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.ChannelChoice;

/** An image with the chosen channels. Its dimensions are those after the choice; its selections, regions and boxes are those of the whole image. */
public final class ChosenInput implements ImageInput {

	private final ImageInput whole;
	private final ChannelChoice.Chosen chosen;
	/** The index of the channels among the axes of the whole image, and among those after the choice; -1 for none. */
	private final int before, after;

	private ChosenInput(final ImageInput whole, final ChannelChoice.Chosen chosen) {
		this.whole = whole;
		this.chosen = chosen;
		before = whole.axes().indexOf('c');
		after = chosen.axes().indexOf('c');
	}

	/** @return the image itself if the choice does not change it */
	public static ImageInput of(final ImageInput image, final ChannelChoice choice) {
		return of(image, choice.image(image.pixels(), image.axes(), image.isColor(), "The image '" + image.name() + "'"));
	}

	/** A template with the channels that were chosen for its image. */
	public static ImageInput template(final ImageInput template, final ChannelChoice ofImage) {
		return of(template, ofImage.template(template.pixels(), template.axes(), template.isColor(), "The template '" + template.name() + "'"));
	}

	private static ImageInput of(final ImageInput image, final ChannelChoice.Chosen chosen) {
		return !image.isColor() && chosen.axes().equals(image.axes()) ? image : new ChosenInput(image, chosen);
	}

	@Override
	public RandomAccessibleInterval<?> pixels() {
		return chosen.pixels();
	}

	@Override
	public String name() {
		return whole.name();
	}

	@Override
	public boolean isColor() {
		return false;
	}

	@Override
	public String axes() {
		return chosen.axes();
	}

	@Override
	public long channel() {
		return chosen.channel();
	}

	@Override
	public Calibration calibration() {
		return whole.calibration();
	}

	@Override
	public Optional<Selection> selection() {
		return whole.selection().map(this::moved);
	}

	@Override
	public boolean hasArea() {
		return whole.hasArea();
	}

	@Override
	public List<Region> managed() {
		return moved(whole.managed());
	}

	@Override
	public List<Region> overlay() {
		return moved(whole.overlay());
	}

	@Override
	public long[] shown() {
		return plane(whole.shown());
	}

	private List<Region> moved(final List<Region> regions) {
		return regions.stream().map(r -> new Region(r.name(), moved(r.area()))).toList();
	}

	private Selection moved(final Selection s) {
		return new Selection(s.x(), s.y(), s.width(), s.height(), s.mask(), plane(s.plane()));
	}

	/** A position beyond x and y without that along the channels, or with the first channel of colours. */
	private long[] plane(final long[] of) {
		if (before >= 0 && after < 0) return IntStream.range(0, of.length).filter(d -> d != before - 2).mapToLong(d -> of[d]).toArray();
		if (before >= 0 || after < 0) return of;
		final long[] with = new long[of.length + 1];
		System.arraycopy(of, 0, with, 1, of.length);
		return with;
	}

	/** Boxes and lines appear in all channels of the image if it has no channels of its own after the choice. */
	@Override
	public boolean mark(final List<Box> boxes, final List<TrackLine> lines, final boolean manager) {
		if (before >= 0 && after >= 0) return whole.mark(boxes, lines, manager);
		return whole.mark(ofWhole(boxes), lines.stream().map(l -> new TrackLine(l.label(), l.group(), l.x(), l.y(), before < 0 ? 0 : -1,
			l.slice(), l.frame())).toList(), manager);
	}

	private List<Box> ofWhole(final List<Box> boxes) {
		if (before >= 0 && after >= 0) return boxes;
		final int all = before < 0 ? 1 : (int) whole.pixels().dimension(before);
		return boxes.stream().map(b -> new Box(b.label(), b.group(), b.x(), b.y(), b.width(), b.height(), 0, b.slice(), b.frame(), all,
			b.slices(), b.frames(), b.outline())).toList();
	}

	@Override
	public LiveBoxes live() {
		final LiveBoxes boxes = whole.live();
		return new LiveBoxes() {

			@Override
			public void show(final List<Box> all) {
				boxes.show(ofWhole(all));
			}

			@Override
			public void restore() {
				boxes.restore();
			}
		};
	}

	@Override
	public boolean equals(final Object other) {
		return other instanceof ChosenInput && ((ChosenInput) other).whole.equals(whole);
	}

	@Override
	public int hashCode() {
		return whole.hashCode();
	}

	@Override
	public String toString() {
		return whole.toString();
	}
}
