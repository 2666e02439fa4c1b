package sc.fiji.ncc.ij1;

import java.io.File;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import net.imglib2.RandomAccessibleInterval;

import org.scijava.Context;
import org.scijava.ItemVisibility;
import org.scijava.module.Module;
import org.scijava.module.ModuleItem;
import org.scijava.service.Service;

import ij.Macro;

/** The inputs of a command as texts under their keys, which is how both macros and dialogs have them. */
final class Inputs {

	private Inputs() {}

	/** Those that people choose, in the order of declaration. */
	static List<ModuleItem<?>> of(final Module module) {
		final List<ModuleItem<?>> inputs = new ArrayList<>();
		for (final ModuleItem<?> input : module.getInfo().inputs())
			if (!Service.class.isAssignableFrom(input.getType()) && input.getType() != Context.class
				&& input.getVisibility() != ItemVisibility.MESSAGE) inputs.add(input);
		return inputs;
	}

	static boolean isImage(final ModuleItem<?> input) {
		return RandomAccessibleInterval.class.isAssignableFrom(input.getType());
	}

	/** The inputs that a macro gives; what it leaves out keeps its declared default. */
	static Map<String, String> read(final Module module, final String options) {
		final Map<String, String> texts = new LinkedHashMap<>();
		for (final ModuleItem<?> input : of(module)) {
			final String text = Macro.getValue(options, input.getName(), null);
			if (text != null) texts.put(input.getName(), text);
		}
		return texts;
	}

	/** @throws IllegalArgumentException if a text is no value of its input */
	static void set(final Module module, final Map<String, String> texts, final ImageJFrontEnd program) {
		for (final ModuleItem<?> input : of(module)) {
			final String text = texts.get(input.getName());
			if (text != null) module.setInput(input.getName(), isImage(input) ? program.image(text) : value(input, text));
		}
	}

	private static Object value(final ModuleItem<?> input, final String text) {
		final Class<?> type = MethodType.methodType(input.getType()).wrap().returnType();
		if (type == String.class) return text;
		if (type == Boolean.class) return Boolean.valueOf(text);
		if (type == File.class) return new File(text);
		try {
			if (type == Integer.class) return Integer.valueOf(text);
			if (type == Long.class) return Long.valueOf(text);
			if (type == Float.class) return Float.valueOf(text);
			if (type == Double.class) return Double.valueOf(text);
		}
		catch (final NumberFormatException e) {
			throw new IllegalArgumentException(input.getName() + "=" + text + " is not a" + (type == Integer.class || type == Long.class
				? " whole" : "") + " number.", e);
		}
		throw new IllegalStateException("parameter " + input.getName() + " has a type that plain ImageJ cannot ask for: " + type);
	}
}
