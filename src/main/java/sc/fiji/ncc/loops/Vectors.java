package sc.fiji.ncc.loops;

/**
 * Whether the inner loops use the Vector API. It is an incubating module: it exists only if the JVM was started with {@code --add-modules
 * jdk.incubator.vector}. Before JDK 21 it allocates an object for each vector. Classes named {@code Vector…} are loaded only if it is used.
 */
public final class Vectors {

	/** The oldest JDK on which vectors are faster than plain loops. */
	private static final int OLDEST = 21;

	/** The reason why vectors are not used; null if they are used. */
	public static final String UNAVAILABLE = unavailable();
	public static final boolean USED = UNAVAILABLE == null;

	private Vectors() {}

	private static String unavailable() {
		if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty())
			return "the JVM was started without --add-modules jdk.incubator.vector";
		if (Runtime.version().feature() < OLDEST)
			return "the Vector API of JDK " + Runtime.version().feature() + " is slower than plain loops; use JDK " + OLDEST + " or later";
		try {
			return VectorLanes.unsuited();
		}
		catch (final LinkageError e) {
			return "the Vector API of JDK " + Runtime.version().feature() + " has changed: " + e;
		}
	}
}
