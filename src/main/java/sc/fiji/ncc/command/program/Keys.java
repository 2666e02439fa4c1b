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
import org.scijava.ItemVisibility;
import org.scijava.module.ModuleInfo;
import org.scijava.module.ModuleItem;
import org.scijava.service.Service;
import org.scijava.widget.Button;


/** The parameters of a command that have a key in macros, and their values as texts. */
public final class Keys {

	/** The attribute of parameters that a dialog does not show again with the value of the last time. */
	public static final String ONCE = "once";

	/** What most people never change: dialogs show it behind a button. */
	private static final Set<String> EXPERT = Set.of("precision", "backend", "algorithm", "effort", "threads");

	private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,40}");
	private static final Pattern DECIMAL = Pattern.compile("[+-]?([0-9]{1,400}\\.?[0-9]{0,400}|\\.[0-9]{1,400})([eE][+-]?[0-9]{1,3})?");

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

	/** Whether dialogs show it behind a button. */
	public static boolean isExpert(final ModuleItem<?> input) {
		return EXPERT.contains(input.getName());
	}

	/**
	 * Whether a dialog shows it again with the value of the last time. SciJava's own {@code persist} would also keep what macros and scripts give.
	 */
	public static boolean isRemembered(final ModuleItem<?> input) {
		return isChosen(input) && !isImage(input) && !input.is(ONCE);
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
		if (!Number.class.isAssignableFrom(type))
			throw new IllegalStateException("parameter " + input.getName() + " has a type that cannot be written in a macro: " + type);
		final boolean whole = type == Integer.class || type == Long.class;
		// Java's own parsers also take letters behind numbers, NaN, and the digits of other scripts
		if (!(whole ? WHOLE : DECIMAL).matcher(text.trim()).matches())
			throw new IllegalArgumentException(input.getName() + "=" + text + " is not a" + (whole ? " whole" : "") + " number."
				+ (whole ? "" : " Write decimals with a point, as in 0.7."));
		final BigDecimal value = new BigDecimal(text.trim());
		requireInside(input, text, value, type);
		return type == Integer.class ? (Object) value.intValueExact() : type == Long.class ? (Object) value.longValueExact()
			: type == Float.class ? (Object) value.floatValue() : (Object) value.doubleValue();
	}

	/** The declared limits, or else those of the type. */
	private static void requireInside(final ModuleItem<?> input, final String text, final BigDecimal value, final Class<?> type) {
		final Number least = (Number) input.getMinimumValue(), most = (Number) input.getMaximumValue();
		final BigDecimal low = least != null ? decimal(least) : type == Integer.class ? BigDecimal.valueOf(Integer.MIN_VALUE)
			: type == Long.class ? BigDecimal.valueOf(Long.MIN_VALUE) : BigDecimal.valueOf(-Double.MAX_VALUE);
		final BigDecimal high = most != null ? decimal(most) : type == Integer.class ? BigDecimal.valueOf(Integer.MAX_VALUE)
			: type == Long.class ? BigDecimal.valueOf(Long.MAX_VALUE) : BigDecimal.valueOf(Double.MAX_VALUE);
		if (value.compareTo(low) >= 0 && value.compareTo(high) <= 0) return;
		throw new IllegalArgumentException(input.getName() + "=" + text + " is out of range: give a number from " + low + " to " + high + ".");
	}

	private static BigDecimal decimal(final Number number) {
		final BigDecimal exact = new BigDecimal(number.toString()).stripTrailingZeros();
		return exact.scale() < 0 ? exact.setScale(0) : exact;
	}

	private static Boolean truth(final ModuleItem<?> input, final String text) {
		if (text.equalsIgnoreCase("true")) return true;
		if (text.equalsIgnoreCase("false")) return false;
		throw new IllegalArgumentException(input.getName() + "=" + text + " is neither true nor false.");
	}
}
