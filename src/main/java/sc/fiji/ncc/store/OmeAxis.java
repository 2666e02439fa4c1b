package sc.fiji.ncc.store;

/**
 * A dimension of an OME-Zarr image.
 *
 * @param name the name in lower case: {@code x}, {@code y}, {@code z}, {@code c}, {@code t}, or another name
 * @param unit the OME name of the unit, such as {@code micrometer}; null if the file has none
 * @param scale the size of a pixel in this unit; default: 1
 * @param translation the position of the first pixel in this unit; default: 0
 */
public record OmeAxis(String name, String unit, double scale, double translation) {

	/** The OME type: {@code space}, {@code time} or {@code channel}. */
	String type() {
		return name.equals("t") ? "time" : name.equals("c") ? "channel" : "space";
	}
}
