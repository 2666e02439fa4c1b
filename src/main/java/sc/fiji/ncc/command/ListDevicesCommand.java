package sc.fiji.ncc.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.scijava.command.Command;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.Registration;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.front.Table;
import sc.fiji.ncc.gain.VectorGain;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Resampling;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Sliding.Correlation;

/** Lists the backends, devices and algorithms of this machine. If one is not available, the table gives the reason. */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Devices...", visible = false, headless = true)
public final class ListDevicesCommand extends NccCommand {

	/** Typical problems. An algorithm that supports none of them cannot run on this machine. */
	private static final List<Problem> TYPICAL = typical();

	private static List<Problem> typical() {
		final List<Problem> all = new ArrayList<>();
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 }) {
			final Correlation p = NormalizedCrossCorrelation.problem(type, Size.of(512, 512), type, Size.of(32, 32), Extent.VALID, 1);
			for (final Precision precision : Precision.values()) {
				all.add(p.in(precision));
				for (int terms = 0; terms < 2; terms++) all.add(new Convolution(p.windows().in(precision), terms));
			}
		}
		// a large template with a small maximum shift, as in tracking
		all.add(NormalizedCrossCorrelation.problem(PixelType.F32, Size.of(136, 136), PixelType.F32, Size.of(128, 128), Extent.VALID, 1));
		all.add(new FramePairs(PixelType.U16, Size.of(512, 512), Size.of(512, 512), List.of(), Registration.MIN_OVERLAP, false, 1, 1, true, 2, 1));
		all.add(MotionField.problem(PixelType.U8, Size.of(512, 512), Size.of(32, 32), 2));
		all.add(new Resampling(PixelType.U16, Size.of(512, 512), 4, false, 2));
		all.add(new BoundedBank(PixelType.U8, Size.of(512, 512), 1,
			List.of(new BoundedBank.Family(Size.of(31, 31), 709, 72, new BoundedBank.Basis(16, 0.1, List.of(), 0, 0))),
			PoseSearch.MIN_SCORE, false, 1));
		all.add(new BoundedBank(PixelType.U8, Size.of(64, 64, 64), 1, List.of(new BoundedBank.Family(Size.of(9, 9, 9), 389, 72, null)),
			PoseSearch.MIN_SCORE, false, 1));
		all.add(new Deformations(Size.of(512, 512), Size.of(64, 64), 2));
		return all;
	}

	@Override
	protected String section() {
		return "user-guide.md#devices";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		final Table table = new Table("NCC Devices", "Backend", "Algorithm", "State", "Device", "Threads", "Memory (GB)");
		table.decimals(1, List.of("Memory (GB)"));
		for (final Backend backend : Backends.all(Runtime.getRuntime().availableProcessors())) {
			final Optional<String> why = backend.unavailable();
			if (why.isPresent()) table.row(backend.id(), "-", "not available: " + why.get(), "-", "-", "-");
			else {
				for (final Device d : backend.devices())
					for (final Algorithm<?> a : backend.algorithms()) row(table, backend, a.id(), state(a, d), d);
			}
		}
		table.row("java", "Vector API", VectorGain.describe(), "-", "-", "-");
		program.show(table, false);
	}

	private static void row(final Table table, final Backend backend, final String algorithm, final String state, final Device d) {
		table.row(backend.id(), algorithm, state, d.name(), d.parallelism(), Math.round(d.memory() / 1e8) / 10.0);
	}

	/** {@code ready}, or the reason why the algorithm cannot run on this machine. */
	private static String state(final Algorithm<?> a, final Device d) {
		// the first problem of its kind is the simplest one, and so is its reason
		final List<Optional<String>> reasons = TYPICAL.stream().filter(a.kind()::isInstance).map(p -> a.refuses(p, d)).toList();
		return reasons.stream().anyMatch(Optional::isEmpty) ? "ready" : reasons.get(0).orElseThrow();
	}
}
