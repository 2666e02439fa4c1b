package sc.fiji.ncc.cpu.patch;

import java.nio.Buffer;

import sc.fiji.ncc.numeric.FrameWindow;
import sc.fiji.ncc.numeric.WindowScore;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.support.Buffers;

/** Exact scores of one window after the other, from the pixels of both frames. */
final class PlaceScores {

	private final PatchShape shape;
	private final Pixels fixed, moving;
	private long[] first;
	private int window;
	/** Whether the template of the window is read. */
	private boolean read;
	/** Null if the window has no responses. */
	private Template template;
	private WindowScore score;

	PlaceScores(final PatchShape shape, final Pixels fixed, final Pixels moving) {
		this.shape = shape;
		this.fixed = fixed;
		this.moving = moving;
	}

	/** Begins with a window. */
	void window(final int number) {
		window = number;
		read = false;
		score = null;
	}

	private Template template() {
		if (read) return template;
		read = true;
		first = shape.problem.first(window);
		return template = FrameWindow.template(fixed, first, shape.problem.window(), null, shape.problem.minOverlap());
	}

	/** Whether enough pixels of the window are present, all of these are finite, and two differ. */
	boolean isUsable() {
		return template() != null;
	}

	/** The number of present pixels of a window that is usable. */
	double present() {
		double n = 0;
		for (int i = 0; i < template().values().length; i++) n += template.weight(i);
		return n;
	}

	/** The score at a lag; NaN if it is undefined. */
	double at(final int lag) {
		if (score == null) score = new WindowScore(moving, template(), new Lags(shape.problem.lags(), true, shape.problem.masked(), shape.problem.minOverlap()));
		return score.at(place(lag));
	}

	private long[] place(final int lag) {
		final long[] place = template() == null ? null : first.clone();
		for (int d = 0, rest = lag; d < place.length; rest /= shape.lags[d++]) place[d] += rest % shape.lags[d] - shape.shift[d];
		return place;
	}

	/** Whether all pixels at a lag are equal. They lie inside the other frame. */
	boolean isFlat(final int lag) {
		final Buffer raw = moving.type().allocate(shape.pixels);
		moving.read(place(lag), shape.problem.window().toIntArray(), raw);
		final boolean unsigned = moving.type().min == 0;
		for (int i = 1; i < shape.pixels; i++) if (Buffers.value(raw, unsigned, i) != Buffers.value(raw, unsigned, 0)) return false;
		return true;
	}
}
