package sc.fiji.ncc.cpu.execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

import sc.fiji.ncc.plan.support.Grouping;
import sc.fiji.ncc.plan.Template;

/** Templates of one size and mask, and their idle workers. */
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

	/** Groups templates that share tile data. Groups are in the order of their first templates. */
	static List<TileGroup> of(final List<Template> templates, final Function<List<Template>, TileMethod> prepare) {
		final List<TileGroup> groups = new ArrayList<>();
		for (final int[] indices : Grouping.of(templates.size(), (t, u) -> alike(templates.get(t), templates.get(u))))
			groups.add(new TileGroup(indices, templates.get(indices[0]), prepare.apply(Arrays.stream(indices).mapToObj(templates::get).toList())));
		return groups;
	}

	private static boolean alike(final Template a, final Template b) {
		return a.size().equals(b.size()) && a.type() == b.type() && Arrays.equals(a.weights(), b.weights());
	}

	/** Whether this group and another one share the same data of an image. */
	boolean alike(final TileGroup other) {
		return Arrays.equals(templates, other.templates) && alike(first, other.first);
	}

	/** Takes over the workers of those groups whose templates these groups replace. No worker may be in use. */
	static void inherit(final List<TileGroup> groups, final List<TileGroup> previous) {
		for (final TileGroup g : groups)
			for (final TileGroup o : previous) {
				if (!g.alike(o)) continue;
				// a worker that fails belongs to neither
				for (TileMethod.Worker w = o.idle.poll(); w != null; w = o.idle.poll())
					if (w.adopt(g.method)) g.idle.add(w);
			}
	}

	/** A worker for the calling thread. Call {@link #release} afterwards, unless the worker failed. */
	TileMethod.Worker acquire() {
		final TileMethod.Worker worker = idle.poll();
		return worker == null ? method.worker() : worker;
	}

	void release(final TileMethod.Worker worker) {
		idle.add(worker);
	}
}
