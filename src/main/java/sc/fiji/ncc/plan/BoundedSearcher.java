package sc.fiji.ncc.plan;

import java.util.List;
import java.util.Optional;


/** A device that searches bounded banks: the best member of each window at which a score reaches the minimum. Responses stay on the device. */
public interface BoundedSearcher {

	/**
	 * Many unit vectors under one support, the members, with an orthonormal basis that bounds their scores. The score of a window f with the member t, both of zero
	 * mean and unit norm, is {@code ⟨f, t⟩}. With the products c of f and d of t with the basis, {@code |⟨f, t⟩ − ⟨c, d⟩| ≤ sqrt(1 − ‖c‖²)·sqrt(1 − ‖d‖²)}.
	 *
	 * @param support the indices of the support's pixels in its box, ascending
	 * @param basis the vectors of the basis, of the extents of the support's box, with weight 1 on the support
	 * @param products those of each member with each vector of the basis
	 * @param residual {@code sqrt(1 − ‖d‖²)} of each member, rounded up
	 * @param members the numbers of each member on the support, in the order of its pixels
	 * @param gains the factor that makes the norm of each member 1
	 * @param minScore the minimum score
	 * @param error the largest error of c, and of the float products with it, if each number of c has the largest error of a response
	 * @param reach the smallest {@code ‖c‖} with which a score can reach the minimum; 0 if every window can
	 * @param groups groups of similar members, with one bound for each; null for none
	 */
	record Bank(int[] support, List<Template> basis, float[][] products, float[] residual, float[][] members, double[] gains, double minScore, float error,
		float reach, Groups groups)
	{

		/** The extents of the support's box. */
		public Size box() {
			return basis.get(0).size();
		}
	}

	/**
	 * Groups of similar members. A member with {@code ⟨c, d⟩ ≥ s·γ}, {@code s > 0}, is in a group whose centre u has {@code ⟨c, u⟩ ≥ s·cos φ − sqrt(‖c‖² − s²)·sin φ}.
	 *
	 * @param centres a unit vector for each group
	 * @param cos that of the largest angle φ between a centre and the d of its group, at most; not below 0
	 * @param sin that of φ, at least
	 * @param residual the largest residual of a member
	 * @param gamma the largest {@code ‖d‖}
	 */
	record Groups(float[][] centres, float cos, float sin, float residual, float gamma) {}

	/** Receives what was found. */
	interface Receiver {

		/**
		 * @param bank the index of the bank
		 * @param first the first lag of a box, that is the first pixel of a window's box
		 * @param size the extents of the box
		 * @param lags the indices of lags in the box, x fastest, in any order
		 * @param scores exact up to 1e-9
		 * @param members the member with this score; of equal scores the first one
		 * @param n the number of lags
		 */
		void take(int bank, long[] first, int[] size, int[] lags, double[] scores, int[] members, int n);
	}

	/** A search that is prepared for images of one size and type. Only one thread may use it at a time. */
	interface Search extends AutoCloseable {

		/**
		 * Searches all banks in an image.
		 *
		 * @param monitor receives the responses that are done, and can cancel
		 * @throws DeviceException if the device failed
		 */
		Report search(Pixels image, Receiver to, Monitor monitor);

		/** The number of responses of an image, over all banks. */
		long responses();

		/** The bytes of the device's memory. */
		long bytes();

		@Override
		void close();
	}

	/** The device. */
	Device device();

	/** The reason, in words, why it does not search images of this type and number of dimensions; empty if it does. */
	Optional<String> unsupported(PixelType image, int dimensions);

	/** The estimated seconds to correlate one image with the vectors of a basis, and to bound the scores. @param box the extents of the support's box */
	double seconds(Size image, Size box, int vectors);

	/** The estimated seconds until the device can start. */
	double startSeconds();

	/** The number of CPU threads that compute bounds and exact scores as fast as the device. */
	int threads();

	/** @throws DeviceException if the device has not enough memory */
	Search prepare(PixelType type, Size image, List<Bank> banks);
}
