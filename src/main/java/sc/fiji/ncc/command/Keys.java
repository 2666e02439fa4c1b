package sc.fiji.ncc.command;

import java.io.File;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import org.scijava.Context;
import org.scijava.ItemVisibility;
import org.scijava.module.ModuleInfo;
import org.scijava.module.ModuleItem;
import org.scijava.service.Service;
import org.scijava.widget.Button;

import sc.fiji.ncc.plan.WrittenNumber;

/** The parameters of a command that have a key in macros, and their values as texts. */
public final class Keys {

	private Keys() {}

	/** The keys of those that people choose, in the order of declaration. */
	public static List<String> of(final ModuleInfo command) {
		return StreamSupport.stream(command.inputs().spliterator(), false).filter(Keys::isChosen).map(ModuleItem::getName).collect(Collectors.toList());
	}

	/** Whether people choose it. */
	public static boolean isChosen(final ModuleItem<?> input) {
		return !Service.class.isAssignableFrom(input.getType()) && input.getType() != Context.class && input.getType() != Button.class
			&& input.getVisibility() != ItemVisibility.MESSAGE;
	}

	public static boolean isImage(final ModuleItem<?> input) {
		return input.getType() == ImageInput.class;
	}

	/**
	 * What a text means.
	 *
	 * @param input no image
	 * @throws IllegalArgumentException if it is no value of the input
	 */
	public static Object value(final ModuleItem<?> input, final String text) {
		final Class<?> type = MethodType.methodType(input.getType()).wrap().returnType();
		if (type == String.class) return text;
		if (type == Boolean.class) return truth(input, text);
		if (type == File.class) return new File(text);
		try {
			if (type == Integer.class) return WrittenNumber.toInt(text);
			if (type == Long.class) return WrittenNumber.toLong(text);
			if (type == Float.class) return (float) WrittenNumber.toDouble(text);
			if (type == Double.class) return WrittenNumber.toDouble(text);
		}
		catch (final NumberFormatException e) {
			throw new IllegalArgumentException(input.getName() + "=" + text + " is not a" + (type == Integer.class || type == Long.class
				? " whole" : "") + " number.", e);
		}
		throw new IllegalStateException("parameter " + input.getName() + " has a type that cannot be written in a macro: " + type);
	}

	private static Boolean truth(final ModuleItem<?> input, final String text) {
		if (text.equalsIgnoreCase("true")) return true;
		if (text.equalsIgnoreCase("false")) return false;
		throw new IllegalArgumentException(input.getName() + "=" + text + " is neither true nor false.");
	}
}
