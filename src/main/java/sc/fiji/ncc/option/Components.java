package sc.fiji.ncc.option;

import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.Size;

/**
 * Copies of records with one other component; and equality and texts of records with arrays, because the record's own methods compare arrays by identity
 * and print their addresses.
 */
public final class Components {

	/**
	 * A component of a record, named by its accessor: {@code MotionSettings::passes}.
	 *
	 * @param <R> the record
	 * @param <V> the type of the component
	 */
	@FunctionalInterface
	public interface Accessor<R extends Record, V> extends Serializable {

		V of(R settings);
	}

	/** The method by which a method reference describes itself. Each method reference in the code is a class of its own. */
	private static final ClassValue<Method> DESCRIPTIONS = new ClassValue<>() {

		@Override
		protected Method computeValue(final Class<?> accessor) {
			try {
				final Method description = accessor.getDeclaredMethod("writeReplace");
				description.setAccessible(true);
				return description;
			}
			catch (final NoSuchMethodException e) {
				throw new IllegalArgumentException("internal error: give an accessor as a method reference", e);
			}
		}
	};

	/** The components of a class of records, and its constructor. */
	private record Shape(List<String> names, Method[] accessors, Constructor<?> constructor) {}

	/** Kept, because reflection takes longer than a copy. */
	private static final ClassValue<Shape> SHAPES = new ClassValue<>() {

		@Override
		protected Shape computeValue(final Class<?> type) {
			final RecordComponent[] all = type.getRecordComponents();
			try {
				final Constructor<?> constructor = type.getDeclaredConstructor(Arrays.stream(all).map(RecordComponent::getType).toArray(Class<?>[]::new));
				constructor.setAccessible(true);
				final Method[] accessors = Arrays.stream(all).map(RecordComponent::getAccessor).toArray(Method[]::new);
				for (final Method m : accessors) m.setAccessible(true);
				return new Shape(Arrays.stream(all).map(RecordComponent::getName).toList(), accessors, constructor);
			}
			catch (final NoSuchMethodException e) {
				throw new IllegalStateException("internal error: " + type + " has no constructor", e);
			}
		}
	};

	private Components() {}

	/**
	 * A copy of a record with another value of one component. The constructor of the record checks the value.
	 *
	 * @throws IllegalArgumentException if the constructor throws it, or the accessor is not a reference to that of a component
	 */
	public static <R extends Record, V> R with(final R record, final Accessor<R, V> component, final V value) {
		final Shape shape = SHAPES.get(record.getClass());
		final Object[] values = components(record);
		try {
			final String name = ((SerializedLambda) DESCRIPTIONS.get(component.getClass()).invoke(component)).getImplMethodName();
			final int index = shape.names.indexOf(name);
			if (index < 0) throw new IllegalArgumentException("internal error: " + record.getClass() + " has no component " + name);
			values[index] = value;
			@SuppressWarnings("unchecked") // the class of the record
			final R copy = (R) shape.constructor.newInstance(values);
			return copy;
		}
		catch (final InvocationTargetException e) {
			if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
			throw new IllegalStateException("internal error: cannot make " + record.getClass(), e);
		}
		catch (final ReflectiveOperationException e) {
			throw new IllegalStateException("internal error: cannot make " + record.getClass(), e);
		}
	}

	/** A copy of a record with another value of a component of one of its components, which is a record, too. */
	public static <R extends Record, P extends Record, V> R with(final R record, final Accessor<R, P> part, final Accessor<P, V> component, final V value) {
		return with(record, part, with(part.of(record), component, value));
	}

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
		final Object[] values = components(a);
		for (int i = 0; i < values.length; i++) {
			final String value = text(values[i]);
			if (!value.isEmpty()) all.add(words(SHAPES.get(a.getClass()).names.get(i)) + " " + value);
		}
		return all.toString();
	}

	private static String text(final Object value) {
		if (value instanceof Optional) return text(((Optional<?>) value).orElse(null));
		if (value instanceof List) return ((List<?>) value).isEmpty() ? "" : Integer.toString(((List<?>) value).size());
		if (value instanceof RandomAccessibleInterval) return Size.of(((RandomAccessibleInterval<?>) value).dimensionsAsLongArray()).toString();
		if (value instanceof double[][]) return Arrays.deepToString((double[][]) value);
		if (value instanceof double[]) return Arrays.toString((double[]) value);
		if (value instanceof long[]) return Arrays.toString((long[]) value);
		return value == null || value.equals(Double.NaN) ? "" : value.toString();
	}

	/** {@code falseAlarms} becomes {@code false alarms}. */
	private static String words(final String name) {
		return Arrays.stream(name.split("(?=[A-Z])")).collect(Collectors.joining(" ")).toLowerCase(Locale.ROOT);
	}

	private static Object[] values(final Record a) {
		return Arrays.stream(components(a)).map(v -> v instanceof List ? ((List<?>) v).toArray() : v).toArray();
	}

	private static Object[] components(final Record a) {
		final Method[] accessors = SHAPES.get(a.getClass()).accessors;
		final Object[] values = new Object[accessors.length];
		try {
			for (int i = 0; i < values.length; i++) values[i] = accessors[i].invoke(a);
			return values;
		}
		catch (final ReflectiveOperationException e) {
			throw new IllegalStateException("internal error: cannot read " + a.getClass(), e);
		}
	}
}
