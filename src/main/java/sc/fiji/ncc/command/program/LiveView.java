package sc.fiji.ncc.command.program;

import java.util.List;

/**
 * What a program shows of a search while the dialog is open: boxes over the image, and a graph in a window. Any thread may call it.
 * Default: nothing.
 */
public interface LiveView {

	/** Replaces the boxes and the graph. */
	default void show(final List<Box> boxes, final Graph graph) {}

	/** Restores the image as it was before, and closes the graph. */
	default void clear() {}
}
