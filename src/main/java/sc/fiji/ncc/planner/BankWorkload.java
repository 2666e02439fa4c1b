package sc.fiji.ncc.planner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

import sc.fiji.ncc.bounded.MemberWindow;
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.bank.BankExecution;
import sc.fiji.ncc.plan.bank.BankExecution.Range;
import sc.fiji.ncc.plan.bank.BankPlan;
import sc.fiji.ncc.plan.bank.Bounds;
import sc.fiji.ncc.plan.bank.Members;

/**
 * Noise, and random members in the space of a random basis, with the sizes of a problem. The minimum score of each basis is the one at
 * which the energy leaves as many windows as the problem states. A large image is replaced by a smaller one, and many frames by one.
 */
final class BankWorkload extends Workload<BoundedBank, BankPlan, BankExecution> {

	/** The number of windows from whose energies the minimum score follows. */
	private static final int SAMPLE = 128;
	/** How far the members of a group differ, as a share of their norm. */
	private static final double SPREAD = 0.3;

	/** Few and many windows left out by their energy. */
	static final Kind<BoundedBank> KIND = new Kind<>(BoundedBank.class, BankWorkload::part, BankWorkload::new, List.of(
		bank(160, new BoundedBank.Basis(12, 0.3, List.of(), 0, 0)), bank(160, new BoundedBank.Basis(24, 0.05, List.of(new BoundedBank.Groups(12, 0.01)), 0, 0))),
		List.of(bank(1000, new BoundedBank.Basis(12, 0.3, List.of(), 0, 0)), bank(1000, new BoundedBank.Basis(36, 0.05, List.of(), 0, 0))));

	/** Members under a disk of radius 20. */
	private static BoundedBank bank(final long side, final BoundedBank.Basis basis) {
		return new BoundedBank(PixelType.U8, Size.of(side, side), 1, List.of(new BoundedBank.Family(Size.of(41, 41), 1257, 72, basis)), 0.7, false, 1);
	}

	private final Pixels image;
	private final List<Members> families = new ArrayList<>();
	private final List<Range> lags = new ArrayList<>();
	private double minScore = 1;

	private BankWorkload(final BoundedBank whole, final BoundedBank measured) {
		super(whole, measured, BankPlan.class);
		image = new RandomPixels(measured.image(), measured.size(), measured.channels(), 1, 1, false);
		for (final BoundedBank.Family f : measured.families()) {
			lags.add(new Range(new long[measured.size().dimensions()], measured.lags(f).toArray()));
			families.add(members(f, new SplittableRandom(families.size())));
		}
	}

	/** The problem with one frame and at most so many pixels, but so many that the largest support fits. */
	private static BoundedBank part(final BoundedBank problem, final long most) {
		return problem.of(halved(problem.size(), d -> problem.families().stream().mapToLong(f -> 2 * f.box().get(d)).max().orElse(1),
			s -> s.pixels() <= most), 1);
	}

	/** Members under the first pixels of their box. */
	private Members members(final BoundedBank.Family f, final SplittableRandom random) {
		final int[] support = new int[f.values() / measured.channels()];
		for (int i = 0; i < support.length; i++) support[i] = i;
		final int vectors = f.basis() == null ? 0 : f.basis().vectors();
		final float[][] values = new float[f.members()][], basis = new float[vectors][];
		final double[][] columns = new double[vectors][], products = new double[f.members()][vectors];
		for (int k = 0; k < vectors; k++) {
			columns[k] = noise(f.values(), random);
			for (int pass = 0; pass < 2; pass++)
				for (int l = 0; l < k; l++) add(columns[k], -dot(columns[l], columns[k]), columns[l]);
			MemberWindow.normalise(columns[k], measured.channels());
			basis[k] = floats(columns[k]);
		}
		final double[] gains = new double[values.length];
		final int centres = vectors == 0 || f.basis().groups().isEmpty() ? 1 : f.basis().groups().get(f.basis().groups().size() - 1).count();
		double[] centre = null;
		for (int m = 0; m < values.length; m++) {
			final double[] v = vectors == 0 ? noise(f.values(), random) : new double[f.values()];
			if (vectors > 0) {
				final double[] d = noise(vectors, random);
				// neighbours are alike
				if (m == 0 || (long) m * centres / values.length != (m - 1L) * centres / values.length) centre = d;
				else {
					for (int k = 0; k < vectors; k++) d[k] *= SPREAD;
					add(d, 1, centre);
				}
				final double norm = Math.sqrt(dot(d, d));
				for (int k = 0; k < vectors; k++) {
					products[m][k] = d[k] / norm;
					add(v, products[m][k], columns[k]);
				}
			}
			gains[m] = MemberWindow.normalise(v, measured.channels()) > 0 ? 1 : 0;
			values[m] = floats(v);
		}
		final Members all = new Members(f.box(), support, measured.channels(), values, gains, null);
		if (vectors == 0) return all;
		final List<int[][]> groups = f.basis().groups().stream().map(g -> groups(f.members(), g.count())).toList();
		final double least = minScore(all, basis, f.basis().kept());
		minScore = Math.min(minScore, least);
		return all.with(new Bounds(basis, products, vectors, least, 1, groups));
	}

	private static int[][] groups(final int members, final int count) {
		final int[][] groups = new int[count][];
		for (int g = 0; g < count; g++) {
			final int from = (int) ((long) g * members / count), to = (int) ((long) (g + 1) * members / count);
			groups[g] = new int[to - from];
			for (int i = from; i < to; i++) groups[g][i - from] = i;
		}
		return groups;
	}

	/** The energy above which this share of the windows lies. Members lie in the space of the basis, so it is the minimum score, too. */
	private double minScore(final Members members, final float[][] basis, final double share) {
		final MemberWindow window = new MemberWindow(image, members);
		final Range range = lags.get(lags.size() - 1);
		final SplittableRandom random = new SplittableRandom(1);
		final double[] energies = new double[SAMPLE];
		for (int i = 0; i < SAMPLE; i++) {
			if (!window.read(Arrays.stream(range.count()).map(random::nextLong).toArray())) continue;
			for (final float[] b : basis) energies[i] += Math.pow(MemberWindow.dot(window.values, b), 2);
		}
		Arrays.sort(energies);
		return Math.min(1, Math.sqrt(energies[Math.min(SAMPLE - 1, (int) ((1 - share) * SAMPLE))]));
	}

	private static double[] noise(final int n, final SplittableRandom random) {
		final double[] v = new double[n];
		for (int i = 0; i < n; i++) v[i] = random.nextDouble() - 0.5;
		return v;
	}

	private static float[] floats(final double[] v) {
		final float[] f = new float[v.length];
		for (int i = 0; i < f.length; i++) f[i] = (float) v[i];
		return f;
	}

	private static double dot(final double[] a, final double[] b) {
		double sum = 0;
		for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
		return sum;
	}

	private static void add(final double[] to, final double times, final double[] v) {
		for (int i = 0; i < to.length; i++) to[i] += times * v[i];
	}

	@Override
	double ratio() {
		return whole.frames() * (double) whole.size().pixels() / measured.size().pixels();
	}

	@Override
	BankExecution prepare(final BankPlan plan) {
		return plan.prepare(families, minScore, Runtime.getRuntime().availableProcessors());
	}

	@Override
	void run(final BankExecution execution, final Monitor monitor) {
		execution.search(image, lags, (family, first, size, at, scores, codes, n) -> {}, monitor);
	}
}
