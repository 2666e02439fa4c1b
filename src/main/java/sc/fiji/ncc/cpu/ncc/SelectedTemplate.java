package sc.fiji.ncc.cpu.ncc;

import java.util.List;

import sc.fiji.ncc.cpu.window.OverlapSums;
import sc.fiji.ncc.numeric.ExactScore;

/** The template that a worker computes at present, and objects for each template that are created when they are first needed. Belongs to one thread. */
final class SelectedTemplate {

	private final List<FallbackTiles.Prepared> templates;
	private final OverlapSums[] overlaps;
	private final ExactScore[] exactScores;
	private int index;

	SelectedTemplate(final List<FallbackTiles.Prepared> templates) {
		this.templates = templates;
		overlaps = new OverlapSums[templates.size()];
		exactScores = new ExactScore[templates.size()];
	}

	void select(final int template) {
		index = template;
	}

	int index() {
		return index;
	}

	double norm() {
		return templates.get(index).norm();
	}

	double weight(final int pixel) {
		return templates.get(index).template().weight(pixel);
	}

	/** The sums over the part of the template that overlaps the image. Only where windows may leave the image, and none of its pixels is missing. */
	OverlapSums overlap() {
		if (overlaps[index] == null) overlaps[index] = templates.get(index).overlapSums().copy();
		return overlaps[index];
	}

	ExactScore exactScore() {
		if (exactScores[index] == null) exactScores[index] = new ExactScore(templates.get(index).template());
		return exactScores[index];
	}
}
