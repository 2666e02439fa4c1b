package sc.fiji.ncc.command.program;

import java.util.List;

/** Boxes over an image while a dialog is open. Any thread may call it. Default: none. */
public interface LiveBoxes {

	/** Replaces the boxes of an earlier call and of an earlier run. Other overlay elements stay. */
	default void show(final List<Box> boxes) {}

	/** Restores the overlay that the image had before the first call of {@link #show}. */
	default void restore() {}
}
