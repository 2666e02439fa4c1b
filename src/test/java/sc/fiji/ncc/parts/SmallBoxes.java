package sc.fiji.ncc.parts;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.run.FrameOperation;

/** Templates that slide over frames, in boxes of one chunk. The border is undefined. */
record SmallBoxes(List<Template> templates, Extent extent, List<Backend> backends, Optional<String> algorithm, Monitor monitor) implements FrameOperation {

	static SmallBoxes of(final List<? extends RandomAccessibleInterval<?>> templates, final Extent extent, final List<Backend> backends,
		final Monitor monitor)
	{
		return new SmallBoxes(templates.stream().map(t -> TemplateReader.read(t, null, false)).toList(), extent, backends, Optional.empty(), monitor);
	}

	/** With the algorithm of this name. */
	SmallBoxes by(final String name) {
		return new SmallBoxes(templates, extent, backends, Optional.of(name), monitor);
	}

	@Override
	public int dimensions() {
		return templates.get(0).size().toArray().length;
	}

	@Override
	public String noun() {
		return "template";
	}

	@Override
	public int threads() {
		return 2;
	}

	@Override
	public long maxLags() {
		return 1;
	}

	@Override
	public List<ResponseLayout> layouts(final RandomAccessibleInterval<?> frame) {
		final long[] size = Arrays.copyOf(frame.dimensionsAsLongArray(), dimensions());
		return templates.stream().map(t -> new ResponseLayout(t.size(), size, extent, null, -1, null, MissingPixels.NONE)).toList();
	}

	@Override
	public Ranking rank(final RandomAccessibleInterval<?> frame, final TemplateBank bank, final BoxGrid boxes, final long frames, final Result kind) {
		return new Planner(backends).rank(Correlation.of(bank.windows(ImagePixels.type(frame), Precision.SINGLE, frames, boxes), bank.templates().get(0), kind), Optional.empty(), algorithm);
	}
}
