package sc.fiji.ncc.front;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;

/** The operations whose algorithms a plan lists. */
public enum PlanOperation {

	/** Correlates images and a template. */
	CORRELATE("template", "template-type", "extent", "precision", "map"),
	/** The template is the kernel. */
	CONVOLVE("template", "template-type", "terms", "extent", "precision", "map"),
	/** Searches for rotated and scaled templates. */
	ROTATE("template", "poses"),
	/** Measures the drift of frames. */
	ALIGN,
	/** Moves frames by parts of a pixel. */
	MOVE("interpolation"),
	/** Measures the motion of windows. */
	MOTION("template"),
	/** Measures the deformations of frames by windows. */
	DEFORM("template");

	/** The default number of rotated, scaled and mirrored templates. */
	public static final int POSES = 360;

	/**
	 * What a plan describes, besides sizes. Each operation uses some of it.
	 *
	 * @param terms the number of products of one-dimensional kernels of which a kernel is the sum; 0 for any other kernel
	 * @param poses the number of rotated, scaled and mirrored templates
	 * @param interpolation how frames are moved
	 */
	public record Settings(PixelType type, PixelType templateType, long frames, int terms, int poses, Interpolation interpolation, Extent extent,
		Precision precision) {}

	/** The settings that it has, and not all operations have. */
	private final List<String> own;

	PlanOperation(final String... own) {
		this.own = List.of(own);
	}

	/** Whether it has a setting that not all operations have. @param setting the name of the option without its dashes */
	public boolean has(final String setting) {
		return own.contains(setting);
	}

	/**
	 * Refuses a setting of other operations.
	 *
	 * @param setting the name of the option without its dashes
	 * @param before what users write before an option
	 * @param after what they write between an option and its value
	 */
	public void require(final String setting, final String before, final String after) {
		final String others = Arrays.stream(values()).filter(o -> o.has(setting)).map(PlanOperation::toString).collect(Collectors.joining(", "))
			.replaceAll(", (\\w+)$", " or $1");
		if (has(setting) || others.isEmpty()) return;
		throw new IllegalArgumentException(before + setting + " needs " + before + "operation" + after + others + ", and the operation is " + this + ": leave "
			+ before + setting + " out, or change the operation");
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** The smallest number of frames. */
	public int minFrames() {
		return this == ALIGN || this == MOTION || this == DEFORM ? 2 : 1;
	}

	/** The problem that a planner ranks. */
	public Problem problem(final Size image, final Size template, final Settings s) {
		return switch (this) {
			case CORRELATE -> NormalizedCrossCorrelation.problem(s.type, image, s.templateType, template, s.extent, s.frames).in(s.precision);
			case CONVOLVE -> Convolution.problem(s.type, image, s.templateType, template, s.terms, s.extent, s.frames).in(s.precision);
			case ROTATE -> PoseSearch.problem(s.type, image, template, s.poses, s.frames);
			case ALIGN -> DriftCorrection.problem(s.type, image, s.frames);
			case MOVE -> DriftCorrection.problemOfMoving(s.type, image, s.interpolation, s.frames);
			case MOTION -> MotionField.problem(s.type, image, template, s.frames);
			case DEFORM -> DriftCorrection.problemOfDeforming(image, template, s.frames);
		};
	}
}
