package sc.fiji.ncc.command.program;

/**
 * An area marked on an image.
 *
 * @param name what people call it; empty if they gave it none
 * @param area its bounds, its mask and the plane that it was marked on, -1 along dimensions where it lies on all
 */
public record Region(String name, Selection area) {}
