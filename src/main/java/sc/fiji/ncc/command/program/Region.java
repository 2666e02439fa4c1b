package sc.fiji.ncc.command.program;

/**
 * A region of an image with a name.
 *
 * @param name name of the region; empty if it has none
 * @param area bounds, mask and plane of the region
 */
public record Region(String name, Selection area) {}
