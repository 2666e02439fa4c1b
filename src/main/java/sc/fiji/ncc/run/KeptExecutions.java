package sc.fiji.ncc.run;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.NccException;

/**
 * Executions that stay open from one image to the next, all of one size and pixel type: one for each bank of templates and each kind of result. If one
 * fails, its next candidate continues. Several threads can use them: their images are computed one after another.
 */
public final class KeptExecutions implements AutoCloseable {

	/** @param templates the indices of the bank's templates */
	private record Key(Problem problem, List<Integer> templates) {}

	private final PixelType type;
	private final Size size;
	private final Map<Key, FailoverExecution> executions = new HashMap<>();
	private boolean closed;

	/** @param size the size of the images */
	public KeptExecutions(final PixelType type, final Size size) {
		this.type = type;
		this.size = size;
	}

	/** @throws IllegalArgumentException if an image has another size or pixel type, or the executions are closed */
	public synchronized void require(final RandomAccessibleInterval<?> image) {
		requireOpen();
		final Size other = Size.of(image.dimensionsAsLongArray());
		if (!other.equals(size) || ImagePixels.type(image) != type) throw new IllegalArgumentException("the templates were prepared for images of " + size
			+ " and type " + type + ", the image has " + other + " and " + ImagePixels.type(image)
			+ ": prepare them for that size and type, or correlate without preparation");
	}

	/** Opens the execution of the best candidate, and prepares the templates. Returns the ranking, whose best candidate is open. */
	public synchronized Ranking open(final Ranking ranking, final TemplateBank bank) {
		final FailoverExecution execution = execution(ranking, bank);
		execution.depth();
		return execution.ranking();
	}

	/**
	 * Computes boxes. If every candidate fails, the next call tries all of them again.
	 *
	 * @param ranking the candidates for the bank and the kind of result; those of the first call count
	 */
	public synchronized Report run(final BoxQueue boxes, final Ranking ranking, final TemplateBank bank) {
		final FailoverExecution execution = execution(ranking, bank);
		try {
			return execution.run(boxes);
		}
		catch (final NccException e) {
			executions.values().remove(execution);
			execution.close();
			throw e;
		}
	}

	private FailoverExecution execution(final Ranking ranking, final TemplateBank bank) {
		requireOpen();
		final Key bankAndResult = new Key(ranking.problem(), Arrays.stream(bank.indices()).boxed().toList());
		return executions.computeIfAbsent(bankAndResult, key -> new FailoverExecution(ranking, bank.operands()));
	}

	private void requireOpen() {
		if (closed) throw new IllegalArgumentException("the prepared templates are closed: prepare them again");
	}

	/** {@code prepared for U8 images of 2000x2000}, and if so that it is closed */
	@Override
	public synchronized String toString() {
		return "prepared for " + type + " images of " + size + (closed ? ", closed" : "");
	}

	/** Releases the memory of all executions. A second call does nothing. */
	@Override
	public synchronized void close() {
		closed = true;
		try {
			executions.values().forEach(FailoverExecution::close);
		}
		finally {
			executions.clear();
		}
	}
}
