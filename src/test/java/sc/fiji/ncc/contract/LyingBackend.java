package sc.fiji.ncc.contract;

import java.nio.FloatBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;

/** Says 0.95 to 1 everywhere; 1 in the first place and at the lag (20, 30). */
public final class LyingBackend implements Backend, Algorithm, Plan, Execution {

	@Override
	public String id() {
		return "lying";
	}

	@Override
	public Optional<String> unavailable() {
		return Optional.empty();
	}

	@Override
	public List<Device> devices() {
		return List.of(new Device("lying", "lies", 1, Long.MAX_VALUE));
	}

	@Override
	public List<Algorithm> algorithms() {
		return List.of(this);
	}

	@Override
	public Optional<String> unsupported(final Problem problem) {
		return Optional.empty();
	}

	@Override
	public Plan plan(final Problem problem, final Device device) {
		return this;
	}

	@Override
	public Cost cost() {
		return new Cost(0, 0, 0, 0);
	}

	@Override
	public Execution prepare(final List<Template> templates) {
		return this;
	}

	@Override
	public int depth() {
		return 1;
	}

	@Override
	public CompletableFuture<Report> submit(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
		final Random random = new Random(1);
		final float[] lies = new float[(int) lags.lags()];
		for (int i = 0; i < lies.length; i++) lies[i] = 0.95f + 0.05f * random.nextFloat();
		lies[0] = 1;
		lies[20 + 30 * lags.size()[0]] = 1;
		out.map(0, new long[lags.size().length], lags.size(), FloatBuffer.wrap(lies));
		return CompletableFuture.completedFuture(new Report(lies.length, 0, 0));
	}

	@Override
	public void replace(final List<Template> sameShapes) {}

	@Override
	public void close() {}
}
