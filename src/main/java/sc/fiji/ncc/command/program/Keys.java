package sc.fiji.ncc.command.program;

import java.io.File;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;

import org.scijava.Context;
import org.scijava.module.Module;
import org.scijava.module.ModuleInfo;
import org.scijava.module.ModuleItem;
import org.scijava.service.Service;

/** The parameters of a command that have a key in macros, and the parsing of their values. */
public final class Keys {

	/** Attribute of parameters whose value a dialog does not remember. */
	public static final String ONCE = "once";

	/** Attribute of a check box that acts while the dialog is open. It has no key in macros and is neither recorded nor remembered. */
	public static final String PREVIEW = "preview";

	/** Attribute of a text that is a number within the limits of the parameter, or {@link #AUTO}. */
	public static final String OR_AUTO = "auto";

	/** Attribute of a text that is the title of an open image, or empty for none. Dialogs list the open images. A dialog does not remember it. */
	public static final String TITLE = "title";

	/**
	 * Attribute of a command: the names of inherited parameters that it refuses, with blanks between them. Its dialogs and the recorder leave them out. Macros can give their defaults, which
	 * recorded macros do.
	 */
	public static final String REFUSED = "refused";

	/** The word for a value that follows from the image. */
	public static final String AUTO = "auto";

	private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,40}");
	private static final Pattern DECIMAL = Pattern.compile("[+-]?([0-9]{1,400}\\.?[0-9]{0,400}|\\.[0-9]{1,400})([eE][+-]?[0-9]{1,3})?");
	private static final Pattern COMMA = Pattern.compile("[^.,]*,[^.,]*"), THOUSANDS = Pattern.compile("[+-]?[1-9][0-9]{0,2},[0-9]{3}");

	private Keys() {}

	/** @return the keys of a command in the order of dialogs */
	public static List<String> of(final ModuleInfo command) {
		return Groups.ordered(command.inputs()).stream().filter(Keys::isChosen).map(ModuleItem::getName).toList();
	}

	/** @return whether the input has a key: services and previews have none */
	public static boolean isChosen(final ModuleItem<?> input) {
		return !isPreview(input) && !Service.class.isAssignableFrom(input.getType()) && input.getType() != Context.class;
	}

	/** @return whether the input is a check box that acts while the dialog is open */
	public static boolean isPreview(final ModuleItem<?> input) {
		return input.is(PREVIEW);
	}

	public static boolean isImage(final ModuleItem<?> input) {
		return input.getType() == ImageInput.class;
	}

	/** @return whether the command refuses values other than the default */
	public static boolean isRefused(final ModuleInfo command, final ModuleItem<?> input) {
		final String names = command.get(REFUSED);
		return names != null && List.of(names.split(" ")).contains(input.getName());
	}

	/** @return whether the value is true or false */
	public static boolean isSwitch(final ModuleItem<?> input) {
		return input.getType() == boolean.class || input.getType() == Boolean.class;
	}

	/**
	 * Whether a dialog shows the value of the last dialog. SciJava's {@code persist} is not used, because it also keeps values of macros and scripts.
	 */
	public static boolean isRemembered(final ModuleItem<?> input) {
		return isChosen(input) && !isImage(input) && !input.is(ONCE) && !input.is(TITLE);
	}

	/**
	 * Parses a value.
	 *
	 * @param input a parameter that is not an image
	 * @param text the value as a macro writes it
	 * @throws IllegalArgumentException if the text is not a value of the parameter
	 */
	public static Object value(final ModuleItem<?> input, final String text) {
		final Class<?> type = MethodType.methodType(input.getType()).wrap().returnType();
		if (input.is(OR_AUTO)) return numberOrAuto(input, text);
		if (type == String.class) return text;
		if (type == Boolean.class) return truth(input, text);
		if (type == File.class) return new File(text);
		if (!Number.class.isAssignableFrom(type))
			throw new IllegalStateException("parameter " + input.getName() + " has a type that macros cannot write: " + type);
		final Object min = input.getMinimumValue(), max = input.getMaximumValue();
		final BigDecimal value = number(input, text, type == Integer.class || type == Long.class);
		final BigDecimal low = min != null ? decimal(min) : type == Integer.class ? BigDecimal.valueOf(Integer.MIN_VALUE)
			: type == Long.class ? BigDecimal.valueOf(Long.MIN_VALUE) : BigDecimal.valueOf(-Double.MAX_VALUE);
		final BigDecimal high = max != null ? decimal(max) : type == Integer.class ? BigDecimal.valueOf(Integer.MAX_VALUE)
			: type == Long.class ? BigDecimal.valueOf(Long.MAX_VALUE) : BigDecimal.valueOf(Double.MAX_VALUE);
		requireInside(input, text, value, low, high, "");
		return type == Integer.class ? (Object) value.intValueExact() : type == Long.class ? (Object) value.longValueExact()
			: type == Float.class ? (Object) value.floatValue() : (Object) value.doubleValue();
	}

	/**
	 * Checks the numbers of a module, because scripts set them without {@link #value}.
	 *
	 * @throws IllegalArgumentException if a number is beyond the limits of its parameter
	 */
	public static void requireValid(final Module module) {
		for (final ModuleItem<?> input : module.getInfo().inputs()) {
			final Object number = input.getMinimumValue() == null ? null : input.getValue(module);
			if (number != null) value(input, number.toString());
		}
	}

	/**
	 * Parses a value that a user types. In place of the decimal point it can have a comma, as in 0,25.
	 *
	 * @throws IllegalArgumentException if the text is not a value of the parameter, or if a comma before three digits, as in 1,234, can also separate thousands
	 */
	public static Object typed(final ModuleItem<?> input, final String text) {
		final boolean decimal = input.getType() == double.class || input.getType() == float.class || input.is(OR_AUTO);
		if (!decimal || !COMMA.matcher(text).matches()) return value(input, text);
		final String point = text.replace(',', '.');
		value(input, point);
		if (!THOUSANDS.matcher(text.trim()).matches()) return value(input, point);
		throw new IllegalArgumentException(input.getName() + "=" + text + " is ambiguous. Write " + point + " or "
			+ text.replace(",", "") + ".");
	}

	/** Checks a number, and returns it as a text. */
	private static String numberOrAuto(final ModuleItem<?> input, final String text) {
		if (text.trim().equalsIgnoreCase(AUTO)) return AUTO;
		requireInside(input, text, number(input, text, false), decimal(input.getMinimumValue()),
			decimal(input.getMaximumValue()), ", or " + AUTO);
		return text.trim();
	}

	private static BigDecimal number(final ModuleItem<?> input, final String text, final boolean whole) {
		// Java's parsers also accept a letter after the number, NaN, and digits of other scripts
		if (!(whole ? WHOLE : DECIMAL).matcher(text.trim()).matches())
			throw new IllegalArgumentException(input.getName() + "=" + text + " is not a" + (whole ? " whole" : "") + " number."
				+ (whole ? "" : " Write decimals with a point, as in 0.7."));
		return new BigDecimal(text.trim());
	}

	private static void requireInside(final ModuleItem<?> input, final String text, final BigDecimal value, final BigDecimal low,
		final BigDecimal high, final String more) {
		if (value.compareTo(low) >= 0 && value.compareTo(high) <= 0) return;
		throw new IllegalArgumentException(input.getName() + "=" + text + " is out of range. Give a number from " + low + " to "
			+ high + more + ".");
	}

	private static BigDecimal decimal(final Object number) {
		final BigDecimal exact = new BigDecimal(number.toString()).stripTrailingZeros();
		return exact.scale() < 0 ? exact.setScale(0) : exact;
	}

	private static Boolean truth(final ModuleItem<?> input, final String text) {
		if (text.equalsIgnoreCase("true")) return true;
		if (text.equalsIgnoreCase("false")) return false;
		throw new IllegalArgumentException(input.getName() + "=" + text + " is not valid. Give true or false.");
	}
}
