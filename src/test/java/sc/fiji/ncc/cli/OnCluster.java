package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.register.DriftParts;
import sc.fiji.ncc.pose.PoseParts;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.fixture.ByteZarr;
import sc.fiji.ncc.motion.MotionFields;
import sc.fiji.ncc.motion.MotionParts;
import sc.fiji.ncc.parts.MapParts;
import sc.fiji.ncc.parts.MatchParts;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.register.FitTask;
import sc.fiji.ncc.register.MeanPart;
import sc.fiji.ncc.register.PairTask;
import sc.fiji.ncc.register.PairTaskResult;
import sc.fiji.ncc.register.PlannedDrift;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.Mosaic;
import sc.fiji.ncc.stitch.LinkTask;
import sc.fiji.ncc.stitch.StitchParts;

/** Runs command lines on a cluster whose members are objects in this process, and compares them with one process. */
abstract class OnCluster {

	/** So small that a box has one chunk. */
	static final long HEAP = 64 << 20;

	@TempDir
	Path folder;
	final ByteArrayOutputStream out = new ByteArrayOutputStream(), err = new ByteArrayOutputStream();

	/** Two members. Each box is computed by one of them, some boxes by both. */
	final class Members implements Cluster {

		private final List<String> arguments;
		int boxes;
		/** The number of boxes after which the cluster fails. */
		private final int until;

		private final long heap;

		Members(final List<String> arguments, final int until) {
			this(arguments, until, HEAP);
		}

		Members(final List<String> arguments, final int until, final long heap) {
			this.arguments = arguments;
			this.until = until;
			this.heap = heap;
		}

		@Override
		public int threads() {
			return 2;
		}

		@Override
		public long heap() {
			return heap;
		}

		private ClusterTask.Command command(final String identity) {
			return new ClusterTask.Command(arguments, folder.toString(), threads(), heap(), identity);
		}

		private List<Long> shuffled(final long count) {
			final List<Long> order = new ArrayList<>(LongStream.range(0, count).boxed().toList());
			Collections.shuffle(order, new Random(3));
			return order;
		}

		@Override
		public MapParts.Done maps(final MapParts parts, final String identity) {
			Report report = Report.NONE;
			long before = 0;
			try (MapParts a = ClusterTask.open(command(identity), MapParts.class); MapParts b = ClusterTask.open(command(identity), MapParts.class)) {
				assertEquals(parts.count(), a.count());
				for (final long box : shuffled(parts.count())) {
					if (boxes++ == until) throw new IllegalStateException("lost");
					if (boxes % 3 == 0) a.compute(box);
					final MapParts.Done done = (boxes % 2 == 0 ? a : b).compute(box).join();
					report = report.plus(done.report());
					before += done.before();
				}
			}
			catch (final IOException e) {
				throw new UncheckedIOException(e);
			}
			return new MapParts.Done(report, before);
		}

		@Override
		public Found matches(final MatchParts parts, final String identity) {
			final List<MatchParts.Maxima> maxima = new ArrayList<>();
			try (MatchParts a = ClusterTask.open(command(identity), MatchParts.class); MatchParts b = ClusterTask.open(command(identity), MatchParts.class)) {
				for (final long box : shuffled(parts.count())) maxima.add((boxes++ % 2 == 0 ? a : b).maxima(box).join());
				return new Found(Report.NONE, parts.matches(maxima, a::scores));
			}
			catch (final IOException e) {
				throw new UncheckedIOException(e);
			}
		}

		@Override
		public Poses poses(final PoseParts parts, final String identity) {
			final List<PoseParts.Maxima> maxima = new ArrayList<>();
			try (PoseParts a = ClusterTask.open(command(identity), PoseParts.class); PoseParts b = ClusterTask.open(command(identity), PoseParts.class)) {
				for (final long box : shuffled(parts.count())) maxima.add((boxes++ % 2 == 0 ? a : b).maxima(box).join());
				return new Poses(Report.NONE, parts.matches(maxima, chosen -> b.refined(chosen).join()));
			}
			catch (final IOException e) {
				throw new UncheckedIOException(e);
			}
		}

		@Override
		public Drift drift(final DriftParts parts, final String identity) {
			try (DriftParts a = ClusterTask.open(command(identity), DriftParts.class); DriftParts b = ClusterTask.open(command(identity), DriftParts.class)) {
				assertEquals(parts.count(), a.count());
				return parts.drift(new PlannedDrift.Tasks() {

					@Override
					public List<PairTaskResult> pairs(final List<PairTask> pairTasks) {
						final List<PairTaskResult> measured = new ArrayList<>();
						for (final long task : shuffled((pairTasks.size() + 2) / 3))
							measured.addAll(io(() -> (boxes++ % 2 == 0 ? a : b).pairs(pairTasks.subList(3 * (int) task, Math.min(pairTasks.size(), 3 * (int) task + 3)))));
						return measured;
					}

					@Override
					public List<FitTask.Result> fits(final List<FitTask> tasks) {
						final List<FitTask.Result> fitted = new ArrayList<>();
						for (final long task : shuffled(tasks.size()))
							fitted.addAll(copy(new ArrayList<>(io(() -> (boxes++ % 2 == 0 ? a : b).fits(List.of(copy(tasks.get((int) task))))))));
						return fitted;
					}

					@Override
					public void fitMeans(final List<FitTask.Mean> some) {
						for (final long part : shuffled(some.size())) io(() -> {
							(part % 2 == 0 ? a : b).fitMean(copy(some.get((int) part)));
							return null;
						});
					}

					@Override
					public void means(final List<MeanPart> some) {
						for (final long part : shuffled(some.size())) io(() -> {
							(part % 2 == 0 ? a : b).mean(some.get((int) part));
							return null;
						});
					}
				});
			}
			catch (final IOException e) {
				throw new UncheckedIOException(e);
			}
		}

		@Override
		public Mosaic mosaic(final StitchParts parts, final String identity) {
			try (StitchParts a = io(() -> ClusterTask.open(command(identity), StitchParts.class));
				StitchParts b = io(() -> ClusterTask.open(command(identity), StitchParts.class))) {
				return parts.mosaic(new StitchParts.Tasks() {

					@Override
					public int most() {
						return 2;
					}

					@Override
					public List<LinkTask.Result> measured(final List<LinkTask> tasks) {
						final LinkTask.Result[] results = new LinkTask.Result[tasks.size()];
						for (final long task : shuffled(results.length))
							results[(int) task] = copy((boxes++ % 2 == 0 ? a : b).measured(copy(tasks.get((int) task))));
						return List.of(results);
					}
				});
			}
		}

		@Override
		public MotionFields motion(final MotionParts parts, final String identity) {
			try (MotionParts a = io(() -> ClusterTask.open(command(identity), MotionParts.class));
				MotionParts b = io(() -> ClusterTask.open(command(identity), MotionParts.class))) {
				assertEquals(parts.count(), a.count());
				return parts.fields(pairs -> {
					final List<MotionParts.Measured> measured = new ArrayList<>();
					for (final long pair : shuffled(pairs.size()))
						measured.addAll(copy(new ArrayList<>((boxes++ % 2 == 0 ? a : b).measured(List.of((int) pair)))));
					return measured;
				});
			}
		}

		@Override
		public void written(final WrittenParts parts, final String identity) {
			try (WrittenParts a = io(() -> ClusterTask.open(command(identity), WrittenParts.class));
				WrittenParts b = io(() -> ClusterTask.open(command(identity), WrittenParts.class))) {
				assertEquals(parts.count(), a.count());
				int written = 0;
				for (final long part : shuffled(parts.count())) {
					if (written++ == until) throw new IllegalStateException("lost");
					if (written % 3 == 0) a.write(part);
					(written % 2 == 0 ? a : b).write(part);
				}
			}
		}

		@Override
		public String summary() {
			return boxes + " boxes";
		}
	}

	/** What another process receives. */
	@SuppressWarnings("unchecked") // a copy has the type of its original
	private static <T> T copy(final T value) {
		final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
			out.writeObject(value);
			out.flush();
			return (T) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
		}
		catch (final IOException | ClassNotFoundException e) {
			throw new IllegalStateException(e);
		}
	}

	private interface Reading<T> {

		T get() throws IOException;
	}

	private static <T> T io(final Reading<T> reading) {
		try {
			return reading.get();
		}
		catch (final IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	static String[] arguments(final String words) {
		return words.split(" ");
	}

	int run(final Cluster cluster, final String words) {
		out.reset();
		err.reset();
		final String[] absolute = Arrays.stream(arguments(words)).map(w -> w.matches("[\\w.]+\\.(zarr|csv|txt|tif|json)") ? folder.resolve(w).toString() : w).toArray(String[]::new);
		return Main.run(absolute, new Terminal(new PrintStream(out, true), new PrintStream(err, true), false), cluster);
	}

	/** Runs on a cluster, and in this process. */
	void same(final String words, final String... outputs) throws IOException {
		same(new Members(List.of(arguments(words)), Integer.MAX_VALUE), words, outputs);
	}

	void same(final Members members, final String words, final String... outputs) throws IOException {
		assertEquals(0, run(members, words), err::toString);
		assertTrue(members.boxes > 1, members.boxes + " boxes");
		for (final String o : outputs) Files.move(folder.resolve(o), folder.resolve("cluster-" + o));
		assertEquals(0, run(null, words), err::toString);
		for (final String o : outputs) {
			final Path a = folder.resolve(o), b = folder.resolve("cluster-" + o);
			if (Files.isDirectory(a)) assertEquals(ByteZarr.bytes(a), ByteZarr.bytes(b));
			else assertEquals(Files.readString(a), Files.readString(b));
		}
	}
}
