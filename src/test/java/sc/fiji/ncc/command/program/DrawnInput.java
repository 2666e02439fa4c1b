package sc.fiji.ncc.command.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.ARGBType;

import sc.fiji.ncc.front.Calibration;

/** An image with stated axes, selection and regions. It keeps the boxes and lines that were drawn last. */
public final class DrawnInput implements ImageInput {

	private final RandomAccessibleInterval<?> pixels;
	private final String axes;
	private final long[] shown;
	private final Selection selection;
	private final List<Region> managed, overlay;
	public List<Box> boxes;
	public List<TrackLine> lines;
	/** Whether {@link LiveBoxes#restore} was called. */
	public boolean restored;

	public DrawnInput(final RandomAccessibleInterval<?> pixels, final String axes, final long[] shown, final Selection selection, final List<Region> managed,
		final List<Region> overlay)
	{
		this.pixels = pixels;
		this.axes = axes;
		this.shown = shown;
		this.selection = selection;
		this.managed = managed;
		this.overlay = overlay;
	}

	@Override
	public RandomAccessibleInterval<?> pixels() {
		return pixels;
	}

	@Override
	public String name() {
		return "drawn";
	}

	@Override
	public boolean isColor() {
		return pixels.getType() instanceof ARGBType;
	}

	@Override
	public String axes() {
		return axes;
	}

	@Override
	public Calibration calibration() {
		return Calibration.NONE;
	}

	@Override
	public Optional<Selection> selection() {
		return Optional.ofNullable(selection);
	}

	@Override
	public boolean hasArea() {
		return selection != null;
	}

	@Override
	public List<Region> managed() {
		return managed;
	}

	@Override
	public List<Region> overlay() {
		return overlay;
	}

	@Override
	public long[] shown() {
		return shown;
	}

	@Override
	public boolean mark(final List<Box> newBoxes, final List<TrackLine> newLines, final boolean manager) {
		boxes = new ArrayList<>(newBoxes);
		lines = new ArrayList<>(newLines);
		return !manager;
	}

	@Override
	public LiveBoxes live() {
		return new LiveBoxes() {

			@Override
			public void show(final List<Box> all) {
				boxes = all;
			}

			@Override
			public void restore() {
				restored = true;
			}
		};
	}
}
