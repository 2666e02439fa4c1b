package sc.fiji.ncc.parts;

import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.fixture.SlidingTemplates;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.SlidingSettings;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.run.SlidingCall;

/** Calls with templates that slide over frames, in boxes of one chunk. The border is undefined. */
final class SmallBoxes {

	private static final long HEAP = 1L << 27;

	private SmallBoxes() {}

	/** @param algorithm the name of the algorithm, or auto */
	static SlidingCall of(final List<? extends RandomAccessibleInterval<?>> templates, final Extent extent, final List<Backend> backends,
		final String algorithm, final Monitor monitor)
	{
		return new SlidingCall(new SlidingTemplates(templates.stream().map(t -> TemplateReader.read(t, null, false)).toList()),
			new SlidingSettings(extent, null, Undefined.NAN, null, ResponseType.FLOAT, 1, HEAP),
			ComputeOptions.DEFAULT.threads(2).algorithm(algorithm).monitor(monitor).planner(new Planner(backends)), null);
	}
}
