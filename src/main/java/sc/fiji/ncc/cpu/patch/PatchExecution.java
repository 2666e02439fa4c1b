package sc.fiji.ncc.cpu.patch;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.plan.window.WindowExecution;

/** The windows of pairs of frames on the CPU: threads take one tile after the other, see {@link PatchTile}. */
public final class PatchExecution implements WindowExecution {

	private final PatchShape shape;
	private final Parallel parallel;

	public PatchExecution(final PatchShape shape, final int threads) {
		this.shape = shape;
		parallel = new Parallel(threads);
	}

	@Override
	public Report search(final Pixels fixed, final Pixels moving, final boolean[] wanted, final Receiver to, final Monitor monitor) {
		final Queue<PatchTile> idle = new ConcurrentLinkedQueue<>();
		final AtomicReference<Report> report = new AtomicReference<>(Report.NONE);
		parallel.each(shape.tiles(), i -> {
			monitor.requireNotCanceled();
			final PatchTile free = idle.poll(), tile = free == null ? new PatchTile(shape, fixed, moving, wanted, to, monitor) : free;
			report.accumulateAndGet(tile.run(i, fixed), Report::plus);
			monitor.done(shape.responses(i));
			idle.add(tile);
		});
		return report.get();
	}

	@Override
	public void close() {
		parallel.close();
	}
}
