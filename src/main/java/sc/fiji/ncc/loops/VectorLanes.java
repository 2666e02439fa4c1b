package sc.fiji.ncc.loops;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The vector species that this processor prefers. */
public final class VectorLanes {

	public static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
	public static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
	static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
	/** As many bytes as a vector has ints. With vectors of 128 bits, the bytes lie in the low lanes of 64 bits. */
	static final VectorSpecies<Byte> BYTES = VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.max(64, INTS.vectorBitSize() / 4)));
	/** As many floats as a vector has doubles. */
	static final VectorSpecies<Float> NARROW = VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));
	/** The number of floats and of doubles in a vector. */
	public static final int F = FLOATS.length(), D = DOUBLES.length();
	/** Processors with vectors of 256 bits have 16 vector registers, all others 32. */
	public static final boolean FEW_REGISTERS = FLOATS.vectorBitSize() == 256;

	private VectorLanes() {}

	/** The reason why the inner loops cannot use these vectors; null if they can. */
	static String unsuited() {
		final boolean suited = (F == 4 || F == 8 || F == 16) && 2 * D == F;
		return suited ? null : "the Vector API offers " + FLOATS.vectorBitSize() + " bits; the loops support 128, 256 and 512";
	}
}
