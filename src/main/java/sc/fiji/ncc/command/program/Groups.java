package sc.fiji.ncc.command.program;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

import org.scijava.module.ModuleItem;

/**
 * The titles under which a dialog shows the parameters behind the button "Advanced...". A title is the name of an attribute of the parameter.
 * Parameters without a title are on the first screen.
 */
public final class Groups {

	public static final String TEMPLATES = "Templates and channels";
	public static final String STACK = "Frames, slices and channels";
	public static final String MEASUREMENT = "Measurement";
	public static final String MISSING = "Masks and missing pixels";
	public static final String REGION = "Region and border";
	public static final String MOVED = "Corrected image";
	public static final String RESULTS = "Results";
	public static final String COMPUTATION = "Computation";

	/** All titles, in the order of the dialogs. */
	public static final List<String> ALL = List.of(TEMPLATES, STACK, MEASUREMENT, MISSING, REGION, MOVED, RESULTS, COMPUTATION);

	/** The parameters that come last, in their order. */
	private static final List<String> LAST = List.of("weights", "imagemask", "nan", "minoverlap", "precision", "backend", "algorithm", "effort",
		"threads", "memory");

	private Groups() {}

	/** @return the parameters in the order of dialogs. SciJava lists those of a base class first */
	public static List<ModuleItem<?>> ordered(final Iterable<ModuleItem<?>> inputs) {
		return StreamSupport.stream(inputs.spliterator(), false).sorted(Comparator.comparingInt(i -> LAST.indexOf(i.getName()))).toList();
	}

	/** @return the title of the group of a parameter; empty if it is on the first screen */
	public static Optional<String> of(final ModuleItem<?> input) {
		return ALL.stream().filter(input::is).findFirst();
	}
}
