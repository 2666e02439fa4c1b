package sc.fiji.ncc.peaks;

/** A plateau of equal responses as a node of a union-find forest. Joined nodes share the data of their root. */
final class Plateau {

	private Plateau parent = this;
	/** The index in the map, x fastest, of the first response in raster order. */
	long first;
	final float value;
	/** The number of runs of the plateau in rows that are still in memory. */
	int runs = 1;
	/** Whether a neighbour exceeds the plateau, so that it is no peak. */
	boolean exceeded;

	Plateau(final long first, final float value, final boolean exceeded) {
		this.first = first;
		this.value = value;
		this.exceeded = exceeded;
	}

	Plateau root() {
		Plateau p = this;
		while (p.parent != p) {
			p.parent = p.parent.parent;
			p = p.parent;
		}
		return p;
	}

	static void join(final Plateau a, final Plateau b) {
		final Plateau x = a.root(), y = b.root();
		if (x == y) return;
		y.parent = x;
		x.first = Math.min(x.first, y.first);
		x.runs += y.runs;
		x.exceeded |= y.exceeded;
	}
}
