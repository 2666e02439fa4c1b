package sc.fiji.ncc.pose;

/** How poses are searched. The matches are the same. */
public enum PoseMethod {

	/** The faster of the two, by an estimate from a sample of windows. */
	AUTO,

	/** By an orthonormal basis and a bound, where poses share a support. */
	BASIS,

	/** Every pose is correlated with the image. */
	EXHAUSTIVE
}
