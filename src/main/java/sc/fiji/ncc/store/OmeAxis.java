package sc.fiji.ncc.store;

/**
 * A dimension of an OME-Zarr image.
 *
 * @param name {@code x}, {@code y}, {@code z}, {@code c} or {@code t}, or what else the file says, in lower case
 * @param unit as OME names it, {@code micrometer} for instance; null if none is said
 * @param scale size of a pixel; 1 if it is not said
 * @param translation where the first pixel lies; 0 if it is not said
 */
public record OmeAxis(String name, String unit, double scale, double translation) {

	/** {@code space}, {@code time} or {@code channel}. */
	String type() {
		return name.equals("t") ? "time" : name.equals("c") ? "channel" : "space";
	}
}
