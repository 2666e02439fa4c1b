package sc.fiji.ncc.peaks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import sc.fiji.ncc.plan.BoxPeaks;

/**
 * Puts the peaks of a map together from those of the boxes that it was cut into: the same as {@link LocalMaxima} finds in the whole map. Boxes come in
 * any order and do not overlap; where none comes, the map ends. Takes memory for the peaks, and for the responses at the faces of boxes that reach the
 * least value.
 */
public final class PeakMosaic {

	private final long[] size;
	private final Neighbours neighbours;
	private final List<Peak> inner = new ArrayList<>();
	/** By index in the map, x fastest. */
	private final Map<Long, Response> rim = new HashMap<>();

	/** @param size the map's extents */
	public PeakMosaic(final long[] size) {
		this.size = size.clone();
		neighbours = new Neighbours(size);
	}

	/** @param place where the lag of index 0 along each dimension, from which the box counts, lies in the map */
	public void add(final BoxPeaks box, final long[] place) {
		for (int i = 0; i < box.peaks().length; i++) inner.add(new Peak(position(box, place, box.peaks()[i]), box.values()[i]));
		final Map<Integer, Plateau> plateaus = new HashMap<>();
		for (int i = 0; i < box.rim().length; i++) {
			final long index = index(position(box, place, box.rim()[i]));
			final int first = box.plateaus()[i];
			final Plateau plateau = first < 0 ? new Plateau(index, true)
				: plateaus.computeIfAbsent(first, f -> new Plateau(index(position(box, place, f)), false));
			rim.put(index, new Response(box.rimValues()[i], plateau));
		}
	}

	private static long[] position(final BoxPeaks box, final long[] place, final int index) {
		final long[] p = new long[place.length];
		for (int d = 0, rest = index; d < p.length; d++) {
			p[d] = place[d] + box.min()[d] + rest % box.size()[d];
			rest /= box.size()[d];
		}
		return p;
	}

	private long index(final long[] position) {
		long i = 0;
		for (int d = size.length - 1; d >= 0; d--) i = i * size[d] + position[d];
		return i;
	}

	/** All peaks, once all boxes have come, in no particular order. */
	public void forEach(final Consumer<Peak> found) {
		inner.forEach(found);
		rim.forEach(this::compare);
		final Map<Plateau, Float> roots = new HashMap<>();
		for (final Response r : rim.values()) roots.put(r.plateau.root(), r.value);
		roots.forEach((plateau, value) -> {
			if (!plateau.dead) found.accept(new Peak(neighbours.position(plateau.first), value));
		});
	}

	/** Lets a response put out a neighbour's plateau, or join it. */
	private void compare(final long index, final Response response) {
		for (final long at : neighbours.of(index)) {
			final Response other = rim.get(at);
			if (other == null) continue;
			if (other.value > response.value) response.plateau.root().dead = true;
			else if (other.value == response.value) Plateau.join(response.plateau, other.plateau);
		}
	}

	private record Response(float value, Plateau plateau) {}

	/** A node of a forest; the root speaks for the plateau. */
	private static final class Plateau {

		private Plateau parent = this;
		private long first;
		private boolean dead;

		Plateau(final long first, final boolean dead) {
			this.first = first;
			this.dead = dead;
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
			x.dead |= y.dead;
		}
	}
}
