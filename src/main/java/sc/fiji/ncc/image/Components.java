package sc.fiji.ncc.image;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.Size;

/** Equality and texts of records with arrays. The record's own methods compare arrays by identity and print their addresses. */
public final class Components {

	private Components() {}

	/**
	 * Whether two records are of one class and have equal components. Arrays, and arrays in lists, are equal if their elements are. Images are equal if
	 * they are the same object.
	 */
	public static boolean equal(final Record a, final Object b) {
		return a == b || b != null && a.getClass() == b.getClass() && Arrays.deepEquals(values(a), values((Record) b));
	}

	/** A hash code that fits {@link #equal}. */
	public static int hash(final Record a) {
		return Arrays.deepHashCode(values(a));
	}

	/**
	 * A text for people: each component with its name, as in {@code Alignment: shift [3.0, -1.5], score 0.98}. A list is given by its size, an image by
	 * its extents. Components that are null, NaN or empty are left out.
	 */
	public static String text(final Record a) {
		final StringJoiner all = new StringJoiner(", ", a.getClass().getSimpleName() + ": ", "");
		final RecordComponent[] components = a.getClass().getRecordComponents();
		for (int i = 0; i < components.length; i++) {
			final String value = text(value(a, components[i]));
			if (!value.isEmpty()) all.add(words(components[i].getName()) + " " + value);
		}
		return all.toString();
	}

	private static String text(final Object value) {
		if (value instanceof Optional) return text(((Optional<?>) value).orElse(null));
		if (value instanceof List) return ((List<?>) value).isEmpty() ? "" : Integer.toString(((List<?>) value).size());
		if (value instanceof RandomAccessibleInterval) return Size.of(((RandomAccessibleInterval<?>) value).dimensionsAsLongArray()).toString();
		if (value instanceof double[][]) return Arrays.deepToString((double[][]) value);
		if (value instanceof double[]) return Arrays.toString((double[]) value);
		if (value instanceof long[]) return ((long[]) value).length == 0 ? "" : Arrays.toString((long[]) value);
		return value == null || value.equals(Double.NaN) ? "" : value.toString();
	}

	/** {@code falseAlarms} becomes {@code false alarms}. */
	private static String words(final String name) {
		return Arrays.stream(name.split("(?=[A-Z])")).collect(Collectors.joining(" ")).toLowerCase(Locale.ROOT);
	}

	private static Object[] values(final Record a) {
		return Arrays.stream(a.getClass().getRecordComponents()).map(c -> value(a, c)).map(v -> v instanceof List ? ((List<?>) v).toArray() : v).toArray();
	}

	private static Object value(final Record a, final RecordComponent component) {
		try {
			component.getAccessor().setAccessible(true);
			return component.getAccessor().invoke(a);
		}
		catch (final ReflectiveOperationException e) {
			throw new IllegalStateException("internal error: cannot read " + component, e);
		}
	}
}
