package sc.fiji.ncc.contract;

import java.util.Arrays;
import java.util.Random;

/** Random numbers that follow from a name. So a case does not depend on the cases that were made before it, and a case that is added changes no other one. */
final class CaseRandom extends Random {

	private static final long serialVersionUID = 1;

	/** Starts the numbers of a case, or of several cases that are made together. */
	CaseRandom start(final Object... name) {
		setSeed(hash(Arrays.deepToString(name)));
		return this;
	}

	/** Whether a case belongs to a sample of one of n cases. It follows from its name. */
	static boolean sampled(final ContractCase c, final int n) {
		return choice(c, "sample of " + n, n) == 0;
	}

	/** A number from 0 to below n, which follows from the name of a case and a purpose. */
	static int choice(final ContractCase c, final String purpose, final int n) {
		return (int) Long.remainderUnsigned(hash(purpose + ": " + c.name()), n);
	}

	/** FNV-1a of 64 bits, and the last step of MurmurHash3, because similar names must have different low bits. */
	private static long hash(final String text) {
		long hash = 0xcbf29ce484222325L;
		for (int i = 0; i < text.length(); i++) hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
		hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
		return hash ^ hash >>> 33;
	}
}
