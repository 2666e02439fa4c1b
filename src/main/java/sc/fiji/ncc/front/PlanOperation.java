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
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;

/** The operations whose algorithms a plan lists. */
public enum PlanOperation {

	/** Correlates images and a template. */
	CORRELATE("template", "template-type", "extent", "precision", "response-type", "map"),
	/** The template is the kernel. */
	CONVOLVE("template", "template-type", "terms", "extent", "precision", "map"),
	/** Searches for rotated and scaled templates. */
	ROTATE("template", "poses"),
	/** Measures the drift of frames. */
	ALIGN,
	/** Moves frames by parts of a pixel, or deforms them. */
	MOVE("interpolation", "deformed"),
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
	 * @param deformed whether moved frames are also deformed
	 */
	public record Settings(PixelType type, PixelType templateType, long frames, int terms, int poses, Interpolation interpolation,
		boolean deformed, Extent extent, Precision precision, ResponseType responseType) {}

	/** The settings that it has, and not all operations have. */
	private final List<String> own;

	PlanOperation(final String... own) {
		this.own = List.of(own);
	}

	/**
	 * Whether it has a setting that not all operations have.
	 *
	 * @param setting the name of the option without its first dashes, or the key of macros
	 */
	public boolean has(final String setting) {
		return own.stream().anyMatch(o -> o.equals(setting) || o.replace("-", "").equals(setting));
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

	/**
	 * The number of frames.
	 *
	 * @param given what the user gave; null for the smallest number
	 * @param before what users write before an option
	 * @param after what they write between an option and its value
	 * @throws IllegalArgumentException if it is too small: what is measured between frames needs two of them
	 */
	public long frames(final Long given, final String before, final String after) {
		final int min = this == ALIGN || this == MOTION || this == DEFORM ? 2 : 1;
		if (given == null) return min;
		if (given >= min) return given;
		throw new IllegalArgumentException(before + "frames" + after + given + ": " + before + "operation" + after + this
			+ " needs at least " + min);
	}

	/** The size of the maps that it makes, in words; empty if it makes none. */
	public String maps(final Size image, final Size template, final Settings s) {
		if (this != CORRELATE && this != CONVOLVE) return "";
		final long[] size = image.toArray();
		for (int d = 0; d < template.dimensions(); d++) size[d] = s.extent.responses(size[d], template.get(d));
		final int bytes = s.responseType.bytes(s.precision);
		return String.format(Locale.ROOT, "%s of %s pixels with %d bits: %.1f MB", s.frames == 1 ? "map" : s.frames + " maps", Size.text(size),
			Byte.SIZE * bytes, 1e-6 * bytes * s.frames * Size.of(size).pixels());
	}

	/** The problem that a planner ranks. */
	public Problem problem(final Size image, final Size template, final Settings s) {
		return switch (this) {
			case CORRELATE -> NormalizedCrossCorrelation.problem(s.type, image, s.templateType, template, s.extent, s.frames)
				.of(Result.map(s.responseType)).in(s.precision);
			case CONVOLVE -> Convolution.problem(s.type, image, s.templateType, template, s.terms, s.extent, s.frames).in(s.precision);
			case ROTATE -> PoseSearch.problem(s.type, image, template, s.poses, s.frames);
			case ALIGN -> DriftCorrection.problem(s.type, image, s.frames);
			case MOVE -> DriftCorrection.problemOfMoving(s.type, image, s.interpolation, s.deformed, s.frames);
			case MOTION -> MotionField.problem(s.type, image, template, s.frames);
			case DEFORM -> DriftCorrection.problemOfDeforming(image, template, s.frames);
		};
	}
}
