package sc.fiji.ncc.cpu.tile;

/** Data of one image that all its tiles share, computed when the first tile needs it. {@link TileInput} brings it to the numerators. Shared by all threads. */
public interface FrameData {

	/** The scale of all pixels of the image. */
	TileScale scale();
}
