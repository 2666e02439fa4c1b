package sc.fiji.ncc.loops;

/**
 * Whether the Vector API carries the inner loops. It is an incubating module: there only if the JVM was started with
 * {@code --add-modules jdk.incubator.vector}, and boxing every vector before JDK 21. Classes named {@code Vector…} are not loaded otherwise.
 */
public final class Vectors {

	/** The oldest JDK on which vectors are faster than plain loops. */
	private static final int OLDEST = 21;

	/** Why not; null if they are used. */
	public static final String UNAVAILABLE = unavailable();
	public static final boolean USED = UNAVAILABLE == null;

	private Vectors() {}

	private static String unavailable() {
		if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty())
			return "the JVM was started without --add-modules jdk.incubator.vector";
		if (Runtime.version().feature() < OLDEST)
			return "the Vector API of JDK " + Runtime.version().feature() + " is slower than plain loops; it takes " + OLDEST;
		try {
			return VectorLanes.unsuited();
		}
		catch (final LinkageError e) {
			return "the Vector API of JDK " + Runtime.version().feature() + " has changed: " + e;
		}
	}
}
