package sc.fiji.ncc.cpu.execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

import sc.fiji.ncc.plan.Grouping;
import sc.fiji.ncc.plan.Template;

/** Templates of one size and mask, and the workers for them that no thread uses at the moment. */
final class TileGroup {

	/** Their indices among all templates, ascending. */
	final int[] templates;
	final TileMethod method;
	private final Template first;
	private final Queue<TileMethod.Worker> idle = new ConcurrentLinkedQueue<>();

	private TileGroup(final int[] templates, final Template first, final TileMethod method) {
		this.templates = templates;
		this.first = first;
		this.method = method;
	}

	/** All templates, those together that share what is computed of a tile, in the order of the first of each group. */
	static List<TileGroup> of(final List<Template> templates, final Function<List<Template>, TileMethod> prepare) {
		final List<TileGroup> groups = new ArrayList<>();
		for (final int[] indices : Grouping.of(templates.size(), (t, u) -> alike(templates.get(t), templates.get(u))))
			groups.add(new TileGroup(indices, templates.get(indices[0]), prepare.apply(Arrays.stream(indices).mapToObj(templates::get).toList())));
		return groups;
	}

	private static boolean alike(final Template a, final Template b) {
		return a.size().equals(b.size()) && a.type() == b.type() && Arrays.equals(a.weights(), b.weights());
	}

	/** Whether what this group shares of a picture is what the other does. */
	boolean alike(final TileGroup other) {
		return Arrays.equals(templates, other.templates) && alike(first, other.first);
	}

	/** Takes the workers of those groups whose templates these replace; nobody uses one at the moment. */
	static void inherit(final List<TileGroup> groups, final List<TileGroup> old) {
		for (final TileGroup g : groups)
			for (final TileGroup o : old) {
				if (!g.alike(o)) continue;
				for (final TileMethod.Worker w : o.idle)
					if (w.adopt(g.method)) g.idle.add(w);
				o.idle.clear();
			}
	}

	/** One for the calling thread, to be given back unless it failed. */
	TileMethod.Worker take() {
		final TileMethod.Worker spare = idle.poll();
		return spare == null ? method.worker() : spare;
	}

	void give(final TileMethod.Worker worker) {
		idle.add(worker);
	}
}
