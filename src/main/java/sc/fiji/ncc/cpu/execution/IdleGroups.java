package sc.fiji.ncc.cpu.execution;

import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/**
 * The prepared templates and the workers of the last executions, for the next execution of the same kind: repeated calls neither transform their templates
 * nor allocate the memory of each thread again. On many threads this would take longer than the tiles of a small image; few threads keep nothing (see
 * {@link TiledPlan}). They are released after 10 s without use, or before when memory is needed.
 */
final class IdleGroups {

	/** The maximum number of executions whose groups are kept. */
	private static final int MOST = 4;
	private static final long SECONDS = 10;
	private static final Executor LATER = CompletableFuture.delayedExecutor(SECONDS, TimeUnit.SECONDS);

	/** Which executions have equal workers: those of one algorithm for equal problems, with as many threads and as much memory. */
	record Kind(String algorithm, Sliding problem, int threads, long memory) {}

	private record Idle(Kind kind, List<Template> templates, List<TileGroup> groups) {}

	private record Entry(SoftReference<Idle> idle, long since) {}

	/** The latest first. Guarded by itself. */
	private static final Deque<Entry> KEPT = new ArrayDeque<>();

	/** The number of scheduled releases. Guarded by the groups. */
	private static int pending;

	private IdleGroups() {}

	/**
	 * Takes groups of this kind, if there are any: those with the same templates, otherwise those with others.
	 *
	 * @return the groups and their templates; null if there are none
	 */
	static List<TileGroup> take(final Kind kind, final List<Template> templates, final boolean same) {
		synchronized (KEPT) {
			for (final Iterator<Entry> i = KEPT.iterator(); i.hasNext();) {
				final Idle s = i.next().idle().get();
				if (s == null || !s.kind().equals(kind) || same && !identical(s.templates(), templates)) continue;
				i.remove();
				return s.groups();
			}
		}
		return null;
	}

	private static boolean identical(final List<Template> a, final List<Template> b) {
		if (a.size() != b.size()) return false;
		for (int t = 0; t < a.size(); t++) if (a.get(t) != b.get(t)) return false;
		return true;
	}

	/** Keeps the groups of an execution that is closed. */
	static void put(final Kind kind, final List<Template> templates, final List<TileGroup> groups) {
		synchronized (KEPT) {
			KEPT.addFirst(new Entry(new SoftReference<>(new Idle(kind, templates, groups)), System.nanoTime()));
			if (KEPT.size() > MOST) KEPT.removeLast();
			if (pending == 0) schedule();
		}
	}

	private static void schedule() {
		pending++;
		LATER.execute(IdleGroups::release);
	}

	/** Releases groups that were not used for a time. */
	private static void release() {
		synchronized (KEPT) {
			final long now = System.nanoTime();
			KEPT.removeIf(e -> now - e.since() >= TimeUnit.SECONDS.toNanos(SECONDS));
			pending--;
			if (!KEPT.isEmpty()) schedule();
		}
	}

	/** For tests: the number of scheduled releases. */
	static int pending() {
		synchronized (KEPT) {
			return pending;
		}
	}

	/** Releases all. */
	static void clear() {
		synchronized (KEPT) {
			KEPT.clear();
		}
	}
}
