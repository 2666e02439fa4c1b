package sc.fiji.ncc.command.program;

import java.io.File;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import org.scijava.Context;
import org.scijava.module.ModuleInfo;
import org.scijava.module.ModuleItem;
import org.scijava.service.Service;
import org.scijava.widget.Button;


/** The parameters of a command that have a key in macros, and the parsing of their values. */
public final class Keys {

	/** Attribute of parameters whose value a dialog does not remember. */
	public static final String ONCE = "once";

	/** The advanced parameters. Dialogs show them behind a button. */
	private static final Set<String> EXPERT = Set.of("precision", "backend", "algorithm", "effort", "threads", "memory");

	private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,40}");
	private static final Pattern DECIMAL = Pattern.compile("[+-]?([0-9]{1,400}\\.?[0-9]{0,400}|\\.[0-9]{1,400})([eE][+-]?[0-9]{1,3})?");

	private Keys() {}

	/** @return the keys of a command in the order of declaration */
	public static List<String> of(final ModuleInfo command) {
		return StreamSupport.stream(command.inputs().spliterator(), false).filter(Keys::isChosen).map(ModuleItem::getName).collect(Collectors.toList());
	}

	/** @return whether the input has a key: services and buttons have none */
	public static boolean isChosen(final ModuleItem<?> input) {
		return !Service.class.isAssignableFrom(input.getType()) && input.getType() != Context.class && input.getType() != Button.class;
	}

	public static boolean isImage(final ModuleItem<?> input) {
		return input.getType() == ImageInput.class;
	}

	/** @return whether the input is an advanced parameter */
	public static boolean isExpert(final ModuleItem<?> input) {
		return EXPERT.contains(input.getName());
	}

	/**
	 * Whether a dialog shows the value of the last dialog. SciJava's {@code persist} is not used, because it also keeps values of macros and scripts.
	 */
	public static boolean isRemembered(final ModuleItem<?> input) {
		return isChosen(input) && !isImage(input) && !input.is(ONCE);
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
		if (type == String.class) return text;
		if (type == Boolean.class) return truth(input, text);
		if (type == File.class) return new File(text);
		if (!Number.class.isAssignableFrom(type))
			throw new IllegalStateException("parameter " + input.getName() + " has a type that macros cannot write: " + type);
		final boolean whole = type == Integer.class || type == Long.class;
		// Java's parsers also accept a letter after the number, NaN, and digits of other scripts
		if (!(whole ? WHOLE : DECIMAL).matcher(text.trim()).matches())
			throw new IllegalArgumentException(input.getName() + "=" + text + " is not a" + (whole ? " whole" : "") + " number."
				+ (whole ? "" : " Write decimals with a point, as in 0.7."));
		final BigDecimal value = new BigDecimal(text.trim());
		requireInside(input, text, value, type);
		return type == Integer.class ? (Object) value.intValueExact() : type == Long.class ? (Object) value.longValueExact()
			: type == Float.class ? (Object) value.floatValue() : (Object) value.doubleValue();
	}

	/** Checks the declared limits, or those of the type. */
	private static void requireInside(final ModuleItem<?> input, final String text, final BigDecimal value, final Class<?> type) {
		final Number min = (Number) input.getMinimumValue(), max = (Number) input.getMaximumValue();
		final BigDecimal low = min != null ? decimal(min) : type == Integer.class ? BigDecimal.valueOf(Integer.MIN_VALUE)
			: type == Long.class ? BigDecimal.valueOf(Long.MIN_VALUE) : BigDecimal.valueOf(-Double.MAX_VALUE);
		final BigDecimal high = max != null ? decimal(max) : type == Integer.class ? BigDecimal.valueOf(Integer.MAX_VALUE)
			: type == Long.class ? BigDecimal.valueOf(Long.MAX_VALUE) : BigDecimal.valueOf(Double.MAX_VALUE);
		if (value.compareTo(low) >= 0 && value.compareTo(high) <= 0) return;
		throw new IllegalArgumentException(input.getName() + "=" + text + " is out of range. Give a number from " + low + " to " + high + ".");
	}

	private static BigDecimal decimal(final Number number) {
		final BigDecimal exact = new BigDecimal(number.toString()).stripTrailingZeros();
		return exact.scale() < 0 ? exact.setScale(0) : exact;
	}

	private static Boolean truth(final ModuleItem<?> input, final String text) {
		if (text.equalsIgnoreCase("true")) return true;
		if (text.equalsIgnoreCase("false")) return false;
		throw new IllegalArgumentException(input.getName() + "=" + text + " is not valid. Give true or false.");
	}
}
