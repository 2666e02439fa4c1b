package sc.fiji.ncc.peaks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import sc.fiji.ncc.plan.Sink.BoxPeaks;

/**
 * Combines the peaks of boxes to the peaks of a map. The result is the same as {@link LocalMaxima} finds in the whole map. Boxes come in any order
 * and do not overlap. Where no box comes, the map ends. The memory holds the peaks, and the responses at the faces of boxes that reach the least
 * score.
 */
public final class PeakMosaic {

	private final double least;
	private final Neighbours neighbours;
	private final List<Peak> inner = new ArrayList<>();
	/** By index in the map, x fastest. */
	private final Map<Long, Response> rim = new HashMap<>();

	/**
	 * @param size the map's extents
	 * @param least the least response of a peak
	 */
	public PeakMosaic(final long[] size, final double least) {
		this.least = least;
		neighbours = new Neighbours(size);
	}

	/** @param place the position in the map of the lag that the boxes count from */
	public void add(final BoxPeaks box, final long[] place) {
		for (int i = 0; i < box.peaks().length; i++) if (box.values()[i] >= least) inner.add(new Peak(position(box, place, box.peaks()[i]),
			box.values()[i]));
		final Map<Integer, Plateau> plateaus = new HashMap<>();
		for (int i = 0; i < box.rim().length; i++) {
			final float value = box.rimValues()[i];
			// a lower neighbour does not change a peak
			if (!(value >= least)) continue;
			final long index = neighbours.index(position(box, place, box.rim()[i]));
			final int first = box.plateaus()[i];
			final Plateau plateau = first < 0 ? new Plateau(index, value, true)
				: plateaus.computeIfAbsent(first, f -> new Plateau(neighbours.index(position(box, place, f)), value, false));
			rim.put(index, new Response(value, plateau));
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

	/** Passes on all peaks, in no particular order. Call it once, after all boxes. */
	public void forEach(final Consumer<Peak> consumer) {
		inner.forEach(consumer);
		rim.forEach(this::compare);
		final Map<Plateau, Float> roots = new HashMap<>();
		for (final Response r : rim.values()) roots.put(r.plateau.root(), r.value);
		roots.forEach((plateau, value) -> {
			if (!plateau.exceeded) consumer.accept(new Peak(neighbours.position(plateau.first), value));
		});
	}

	/** Compares a response with its neighbours: a greater neighbour excludes its plateau, and plateaus of equal neighbours join. */
	private void compare(final long index, final Response response) {
		for (final long neighbour : neighbours.of(index)) {
			final Response other = rim.get(neighbour);
			if (other == null) continue;
			if (other.value > response.value) response.plateau.root().exceeded = true;
			else if (other.value == response.value) Plateau.join(response.plateau, other.plateau);
		}
	}

	private record Response(float value, Plateau plateau) {}
}
