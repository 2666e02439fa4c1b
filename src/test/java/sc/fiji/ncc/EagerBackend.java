package sc.fiji.ncc;

import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Staging;
import sc.fiji.ncc.plan.Template;

/** One algorithm of a backend, said to cost nothing, so that it is always tried first. */
record EagerBackend(Backend of, String algorithm) implements Backend {

	@Override
	public String id() {
		return of.id();
	}

	@Override
	public Optional<String> unavailable() {
		return of.unavailable();
	}

	@Override
	public List<Device> devices() {
		return of.devices();
	}

	@Override
	public List<Algorithm> algorithms() {
		return of.algorithms().stream().filter(a -> a.id().equals(algorithm)).<Algorithm>map(a -> new Algorithm() {

			@Override
			public String id() {
				return algorithm;
			}

			@Override
			public Optional<String> unsupported(final Problem p) {
				return a.unsupported(p);
			}

			@Override
			public Plan plan(final Problem problem, final Device device) {
				final Plan plan = a.plan(problem, device);
				return new Plan() {

					@Override
					public Cost cost() {
						return new Cost(0, 0, 0, 0);
					}

					@Override
					public Execution prepare(final List<Template> templates) {
						return plan.prepare(templates);
					}

					@Override
					public Staging staging(final long bytes) {
						return plan.staging(bytes);
					}
				};
			}
		}).toList();
	}
}
