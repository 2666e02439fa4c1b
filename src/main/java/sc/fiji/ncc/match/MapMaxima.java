package sc.fiji.ncc.match;

import java.util.function.Consumer;

import sc.fiji.ncc.peaks.Peak;

/** The local maxima of the maps of one frame. */
@FunctionalInterface
public interface MapMaxima {

	/**
	 * Passes on the local maxima of a template's map, in coordinates of the map and in any order.
	 *
	 * @param least maxima with a lower response can be left out
	 */
	void forEach(int template, double least, Consumer<Peak> consumer);
}
