package sc.fiji.ncc.cuda;

import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** What all algorithms on CUDA devices share: at most three dimensions, and slabs on their way through streams. */
abstract class CudaAlgorithm implements Algorithm {

	private final String id;

	CudaAlgorithm(final String id) {
		this.id = id;
	}

	@Override
	public final String id() {
		return id;
	}

	@Override
	public final Optional<String> unsupported(final Problem problem) {
		if (problem.size().dimensions() > 3)
			return Optional.of("its kernels have at most 3 dimensions, the template has " + problem.size().dimensions());
		for (final Size t : problem.templates())
			if (t.pixels() > 1 << 26) return Optional.of("a template of " + t + " is larger than its kernels take (2^26 pixels)");
		return unsupportedShape(problem);
	}

	/** Why it does not apply to a problem of at most three dimensions. */
	abstract Optional<String> unsupportedShape(Problem problem);

	/** One template on a device. The calling thread has entered it. */
	abstract CudaMethod prepare(CudaDevice device, Template template, Problem problem);

	/** Seconds of the device for all lags of one template. */
	abstract double deviceSeconds(CudaDevice device, Size template, Problem problem);

	@Override
	public final Plan plan(final Problem problem, final Device device) {
		final CudaDevice cuda = Driver.devices().list().stream().filter(d -> d.device.id().equals(device.id())).findFirst()
			.orElseThrow(() -> new IllegalArgumentException("there is no device " + device.id()));
		final Cost cost = CudaCost.of(problem, cuda, this);
		return new Plan() {

			@Override
			public Cost cost() {
				return cost;
			}

			@Override
			public Execution prepare(final List<Template> templates) {
				if (cuda.lost() != null) throw new DeviceException(cuda.lost());
				return new CudaExecution(cuda, templates, t -> CudaAlgorithm.this.prepare(cuda, t, problem));
			}
		};
	}
}
