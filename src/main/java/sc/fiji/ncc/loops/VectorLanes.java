package sc.fiji.ncc.loops;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The vectors that this processor prefers. */
public final class VectorLanes {

	public static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
	public static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
	static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
	/** As many bytes as there are ints in a vector; with 128 bits, whose fourth no vector has, in the low lanes of 64 bits. */
	static final VectorSpecies<Byte> BYTES = VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.max(64, INTS.vectorBitSize() / 4)));
	/** As many floats as there are doubles in a vector. */
	static final VectorSpecies<Float> NARROW = VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));
	/** How many floats and how many doubles a vector holds. */
	public static final int F = FLOATS.length(), D = DOUBLES.length();
	/** Processors with vectors of 256 bits have 16 registers for them, all others 32. */
	public static final boolean FEW_REGISTERS = FLOATS.vectorBitSize() == 256;

	private VectorLanes() {}

	/** Why the inner loops cannot use them; null if they can. */
	static String unsuited() {
		final boolean suited = (F == 4 || F == 8 || F == 16) && 2 * D == F;
		return suited ? null : "the Vector API offers " + FLOATS.vectorBitSize() + " bits, and the loops are made for 128, 256 and 512";
	}
}
