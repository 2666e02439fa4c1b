package sc.fiji.ncc.front;

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
	CORRELATE,
	/** The template is the kernel. */
	CONVOLVE,
	/** Searches for rotated and scaled templates. */
	ROTATE,
	/** Measures the drift of frames. */
	ALIGN,
	/** Moves frames by parts of a pixel. */
	MOVE,
	/** Measures the motion of windows. */
	MOTION;

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

	/** Whether a template or kernel slides over an image, so that extent, precision and a map of all sizes have a meaning. */
	public boolean slides() {
		return this == CORRELATE || this == CONVOLVE;
	}

	/** Whether there is a template, a kernel or a window. */
	public boolean hasTemplate() {
		return this != ALIGN && this != MOVE;
	}

	/** The smallest number of frames. */
	public int minFrames() {
		return this == ALIGN || this == MOTION ? 2 : 1;
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
		};
	}
}
