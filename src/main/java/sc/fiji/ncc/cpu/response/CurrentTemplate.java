package sc.fiji.ncc.cpu.response;

import java.util.List;

import sc.fiji.ncc.cpu.window.OverlapSums;
import sc.fiji.ncc.numeric.WindowCoefficient;
import sc.fiji.ncc.plan.Template;

/** The template that a worker correlates at present, and objects for each template that are created when they are first needed. Belongs to one thread. */
public final class CurrentTemplate {

	/**
	 * A template with the numbers that its responses need.
	 *
	 * @param norm {@code √Σ w·(T - mean T)²}
	 * @param overlapSums the sums of each channel where the template overlaps the image in part; empty if windows never leave the image or have missing pixels
	 */
	public record Prepared(Template template, double norm, List<OverlapSums> overlapSums) {}

	private final List<Prepared> templates;
	/** The sums of each channel. */
	private final OverlapSums[][] overlaps;
	private final WindowCoefficient[] exactScores;
	private int index;

	public CurrentTemplate(final List<Prepared> templates) {
		this.templates = templates;
		overlaps = new OverlapSums[templates.size()][];
		exactScores = new WindowCoefficient[templates.size()];
	}

	public void select(final int template) {
		index = template;
	}

	public int index() {
		return index;
	}

	public double norm() {
		return templates.get(index).norm();
	}

	/** The weight of a pixel of any channel. */
	public double weight(final int pixel) {
		return templates.get(index).template().weight(pixel);
	}

	/**
	 * The sums over the part of each channel of the template that overlaps the image. Only where windows may leave the image, and none of its pixels is
	 * missing.
	 */
	public OverlapSums[] overlaps() {
		if (overlaps[index] == null) overlaps[index] = templates.get(index).overlapSums().stream().map(OverlapSums::copy).toArray(OverlapSums[]::new);
		return overlaps[index];
	}

	public WindowCoefficient exactScore() {
		if (exactScores[index] == null) exactScores[index] = WindowCoefficient.of(templates.get(index).template());
		return exactScores[index];
	}
}
