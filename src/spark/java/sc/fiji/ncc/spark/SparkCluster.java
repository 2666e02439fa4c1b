package sc.fiji.ncc.spark;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;

import scala.Function2;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.BoxedUnit;

import sc.fiji.ncc.register.DriftParts;
import sc.fiji.ncc.pose.PoseParts;
import sc.fiji.ncc.cli.Cluster;
import sc.fiji.ncc.cli.ClusterTask.Command;
import sc.fiji.ncc.cli.WrittenParts;
import sc.fiji.ncc.motion.MotionFields;
import sc.fiji.ncc.motion.MotionParts;
import sc.fiji.ncc.parts.MapParts;
import sc.fiji.ncc.parts.MatchParts;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.register.FitTask;
import sc.fiji.ncc.register.MeanPart;
import sc.fiji.ncc.register.PairTask;
import sc.fiji.ncc.register.PairTaskResult;
import sc.fiji.ncc.register.PlannedDrift;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.Mosaic;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.stitch.LinkTask;
import sc.fiji.ncc.stitch.StitchParts;

/** The driver of an application of Spark. It divides the boxes of an image among tasks and reads no pixels. The application starts with the first job. */
final class SparkCluster implements Cluster, AutoCloseable {

	/** A task has at most this many boxes, so that a box is written while the next is computed, unless there would be more tasks than the driver can serve well. */
	private static final int BOXES_OF_A_TASK = 4, MAX_TASKS = 20_000;
	/** Each slot of the cluster gets about this many tasks, so that fast executors take more. */
	private static final int TASKS_OF_A_SLOT = 8;
	/** The minimum number of windows in a task. Windows of one task lie in blocks of this side, in pixels, so that a task reads few chunks. */
	private static final int WINDOWS = 256, BLOCK = 1024;
	/** The minimum number of matches that a task refines. */
	private static final int MATCHES = 16;
	/** The minimum and the maximum number of pairs of frames that a task of a drift reads, besides up to 16 earlier frames. */
	private static final int PAIR_TASKS = 16, MAX_PAIR_TASKS = 128;
	/** The maximum number of pairs of tiles that a task compares; even, because two pairs share transforms. */
	private static final int PAIRS_OF_TILES = 8;
	/** The maximum number of fields of motion, or of deformations, that a task measures. */
	private static final int FIELDS = 16;
	private static final Pattern LOCAL = Pattern.compile("local(\\[(\\d+|\\*)(,\\d+)?\\])?");

	/** The work of a task. */
	private interface Work<T, R> extends Serializable {

		Share<R> on(Command command, List<T> input) throws Exception;
	}

	private final SparkConf conf;
	private final List<String> arguments;
	private final Set<String> executors = new TreeSet<>(), algorithms = new TreeSet<>();
	private int tasks;
	private JavaSparkContext context;

	/**
	 * @param conf the settings, with the master
	 * @param arguments the subcommand and its arguments
	 */
	SparkCluster(final SparkConf conf, final List<String> arguments) {
		this.conf = conf;
		this.arguments = arguments;
	}

	private String master() {
		if (!conf.contains("spark.master"))
			throw new IllegalArgumentException("no master: start with spark-submit, or give --master, such as --master local[*] or --master spark://HOST:7077");
		return conf.get("spark.master");
	}

	private boolean local() {
		return LOCAL.matcher(master()).matches();
	}

	@Override
	public int threads() {
		final Matcher local = LOCAL.matcher(master());
		if (local.matches()) return local.group(2) == null ? 1 : local.group(2).equals("*") ? Runtime.getRuntime().availableProcessors() : Integer.parseInt(local.group(2));
		if (!conf.contains("spark.executor.cores") && master().startsWith("spark:"))
			throw new IllegalArgumentException("spark.executor.cores is not set, and the number of threads of an executor follows from it: give --conf spark.executor.cores=N");
		return conf.getInt("spark.executor.cores", 1);
	}

	@Override
	public long heap() {
		return local() ? Runtime.getRuntime().maxMemory() : conf.getSizeAsBytes("spark.executor.memory", "1g");
	}

	private JavaSparkContext context() {
		if (context == null) {
			conf.setIfMissing("spark.app.name", "ncc-spark " + arguments.get(0));
			final String[] jar = JavaSparkContext.jarOfClass(NccSpark.class);
			// spark-submit sets it
			if (!conf.contains("spark.jars") && jar.length > 0) conf.setJars(jar);
			context = new JavaSparkContext(conf);
		}
		return context;
	}

	private Command command(final String identity) {
		return new Command(arguments, Path.of("").toAbsolutePath().toString(), threads(), heap(), identity);
	}

	@Override
	public MapParts.Done maps(final MapParts parts, final String identity) {
		final Report[] report = { Report.NONE };
		final long[] before = { 0 };
		parts.monitor().total(parts.responses());
		run(command(identity), boxes(parts.count()), parts.monitor(), ExecutorParts::maps, (index, done) -> {
			report[0] = report[0].plus(done.report());
			before[0] += done.before();
			parts.monitor().done(done.report().responses() + done.before());
		});
		return new MapParts.Done(report[0], before[0]);
	}

	@Override
	public Found matches(final MatchParts parts, final String identity) {
		final Command command = command(identity);
		final List<MatchParts.Maxima> maxima = new ArrayList<>();
		parts.monitor().total(parts.responses());
		run(command, boxes(parts.count()), parts.monitor(), ExecutorParts::maxima, (index, found) -> {
			maxima.addAll(found);
			for (final MatchParts.Maxima m : found) parts.monitor().done(m.report().responses());
		});
		Report report = Report.NONE;
		for (final MatchParts.Maxima m : maxima) report = report.plus(m.report());
		return new Found(report, parts.matches(maxima, windows -> scores(command, windows, parts.monitor())));
	}

	@Override
	public Poses poses(final PoseParts parts, final String identity) {
		final Command command = command(identity);
		final List<PoseParts.Maxima> maxima = new ArrayList<>();
		parts.monitor().total(parts.count());
		run(command, boxes(parts.count()), parts.monitor(), ExecutorParts::poses, (index, found) -> {
			maxima.addAll(found);
			parts.monitor().done(found.size());
		});
		Report report = Report.NONE;
		for (final PoseParts.Maxima m : maxima) report = report.plus(m.report());
		return new Poses(report, parts.matches(maxima, chosen -> {
			final int ofATask = Math.max(MATCHES, chosen.size() / (TASKS_OF_A_SLOT * slots()) + 1);
			final List<List<PoseParts.Chosen>> input = divided(chosen, ofATask);
			final List<List<PoseMatch>> refined = new ArrayList<>(Collections.nCopies(input.size(), List.of()));
			run(command, input, parts.monitor(), ExecutorParts::refined, refined::set);
			return refined.stream().flatMap(List::stream).toList();
		}));
	}

	@Override
	public Drift drift(final DriftParts parts, final String identity) {
		final Command command = command(identity);
		final long[] left = { parts.count() };
		parts.monitor().total(parts.steps());
		return parts.drift(new PlannedDrift.Tasks() {

			@Override
			public List<PairTaskResult> pairs(final List<PairTask> pairTasks) {
				final List<PairTaskResult> measured = new ArrayList<>();
				final int ofATask = Math.max(PAIR_TASKS, Math.min(MAX_PAIR_TASKS, pairTasks.size() / (TASKS_OF_A_SLOT * slots())));
				run(command, divided(pairTasks, ofATask), parts.monitor(), ExecutorParts::pairs, (index, done) -> {
					measured.addAll(done);
					final long frames = Math.min(left[0], 2L * done.size());
					left[0] -= frames;
					parts.monitor().done(frames);
				});
				return measured;
			}

			@Override
			public void means(final List<MeanPart> means) {
				run(command, divided(means, 1), parts.monitor(), ExecutorParts::means, (index, done) -> {});
			}

			@Override
			public List<FitTask.Result> fits(final List<FitTask> fitTasks) {
				final List<FitTask.Result> fitted = new ArrayList<>();
				final int ofATask = Math.max(1, Math.min(FIELDS, fitTasks.size() / (TASKS_OF_A_SLOT * slots())));
				run(command, divided(fitTasks, ofATask), parts.monitor(), ExecutorParts::fits, (index, some) -> {
					fitted.addAll(some);
					parts.monitor().done(some.size());
				});
				return fitted;
			}

			@Override
			public void fitMeans(final List<FitTask.Mean> means) {
				run(command, divided(means, 1), parts.monitor(), ExecutorParts::fitMeans, (index, done) -> {});
			}
		});
	}

	@Override
	public Mosaic mosaic(final StitchParts parts, final String identity) {
		final Command command = command(identity);
		return parts.mosaic(new StitchParts.Tasks() {

			@Override
			public int most() {
				return PAIRS_OF_TILES;
			}

			@Override
			public List<LinkTask.Result> measured(final List<LinkTask> linkTasks) {
				final List<LinkTask.Result> results = new ArrayList<>(Collections.nCopies(linkTasks.size(), null));
				run(command, divided(linkTasks, 1), parts.monitor(), ExecutorParts::links, (index, found) -> {
					results.set(index, found.get(0));
					parts.monitor().done(linkTasks.get(index).steps());
				});
				return results;
			}
		});
	}

	@Override
	public MotionFields motion(final MotionParts parts, final String identity) {
		final Command command = command(identity);
		parts.monitor().total(parts.count());
		return parts.fields(pairs -> {
			final List<MotionParts.Measured> measured = new ArrayList<>();
			final int ofATask = Math.max(1, Math.min(FIELDS, pairs.size() / (TASKS_OF_A_SLOT * slots())));
			run(command, divided(pairs, ofATask), parts.monitor(), ExecutorParts::motion, (index, some) -> {
				measured.addAll(some);
				parts.monitor().done(some.size());
			});
			return measured;
		});
	}

	@Override
	public void written(final WrittenParts parts, final String identity) {
		parts.monitor().total(parts.count());
		run(command(identity), boxes(parts.count()), parts.monitor(), ExecutorParts::written, (index, done) -> parts.monitor().done(done));
	}

	private static <T> List<List<T>> divided(final List<T> all, final int ofATask) {
		final List<List<T>> input = new ArrayList<>();
		for (int from = 0; from < all.size(); from += ofATask) input.add(new ArrayList<>(all.subList(from, Math.min(all.size(), from + ofATask))));
		return input;
	}

	private double[] scores(final Command command, final List<MatchParts.Window> windows, final Monitor monitor) {
		final Integer[] order = IntStream.range(0, windows.size()).boxed().toArray(Integer[]::new);
		final Comparator<Integer> byBlock = Comparator.comparing(windows::get, SparkCluster::compareBlocks);
		Arrays.sort(order, byBlock);
		final int ofATask = Math.max(WINDOWS, windows.size() / (TASKS_OF_A_SLOT * slots()) + 1);
		final List<List<MatchParts.Window>> input = new ArrayList<>();
		for (int i = 0; i < order.length; i++) {
			if (i % ofATask == 0) input.add(new ArrayList<>());
			input.get(i / ofATask).add(windows.get(order[i]));
		}
		final double[] scores = new double[windows.size()];
		run(command, input, monitor, ExecutorParts::scores, (index, some) -> {
			for (int i = 0; i < some.length; i++) scores[order[index * ofATask + i]] = some[i];
		});
		return scores;
	}

	private static int compareBlocks(final MatchParts.Window a, final MatchParts.Window b) {
		if (a.frame() != b.frame()) return Long.compare(a.frame(), b.frame());
		for (int d = a.first().length - 1; d >= 0; d--) {
			final int c = Long.compare(a.first()[d] / BLOCK, b.first()[d] / BLOCK);
			if (c != 0) return c;
		}
		return 0;
	}

	/** The number of tasks that run at the same time, of the executors that have registered so far. */
	private int slots() {
		return Math.max(1, context().defaultParallelism());
	}

	/** The boxes of each task. */
	private List<List<Long>> boxes(final long count) {
		final long few = Math.max(1, Math.min(BOXES_OF_A_TASK, count / (TASKS_OF_A_SLOT * (long) slots()))), ofATask = Math.max(few, (count + MAX_TASKS - 1) / MAX_TASKS);
		final List<List<Long>> input = new ArrayList<>();
		for (long from = 0; from < count; from += ofATask)
			input.add(LongStream.range(from, Math.min(count, from + ofATask)).boxed().collect(Collectors.toCollection(ArrayList::new)));
		return input;
	}

	/** Receives the results of tasks, in any order. */
	private interface Receiver<R> {

		void accept(int index, R result);
	}

	/** Runs one task for each list of inputs. */
	private <T, R> void run(final Command command, final List<List<T>> input, final Monitor monitor, final Work<T, R> work, final Receiver<R> receiver) {
		if (input.isEmpty()) return;
		tasks += input.size();
		final Object[] partitions = IntStream.range(0, input.size()).boxed().toArray();
		final Function2<TaskContext, scala.collection.Iterator<List<T>>, Share<R>> task =
			(Function2<TaskContext, scala.collection.Iterator<List<T>>, Share<R>> & Serializable) (c, lists) -> run(work, command, lists.next());
		final Function2<Object, Share<R>, BoxedUnit> done = (index, share) -> {
			executors.add(share.executor());
			algorithms.add(share.algorithms());
			receiver.accept((Integer) index, share.value());
			return BoxedUnit.UNIT;
		};
		final SparkContext spark = context().sc();
		final Thread watch = watch(monitor, spark);
		try {
			spark.runJob(context().parallelize(input, input.size()).rdd(), task, CollectionConverters.asScala(List.of(partitions)).toSeq(), done,
				ClassTag$.MODULE$.<Share<R>> apply(Share.class));
		}
		catch (final Exception e) {
			if (monitor.canceled()) throw (CancellationException) new CancellationException("canceled").initCause(e);
			throw failure(e);
		}
		finally {
			watch.interrupt();
		}
	}

	/** Runs a task in an executor. */
	private static <T, R> Share<R> run(final Work<T, R> work, final Command command, final List<T> input) {
		try {
			return work.on(command, input);
		}
		catch (final RuntimeException e) {
			throw e;
		}
		catch (final IOException e) {
			throw new UncheckedIOException(e);
		}
		catch (final Exception e) {
			throw new NccException("a task failed: " + e, e);
		}
	}

	/** Cancels all jobs when the monitor does. */
	private static Thread watch(final Monitor monitor, final SparkContext spark) {
		final Thread watch = new Thread(() -> {
			try {
				while (!monitor.canceled()) Thread.sleep(100);
				spark.cancelAllJobs();
			}
			catch (final InterruptedException e) {
				// the job is done
			}
		}, "ncc-spark-cancel");
		watch.setDaemon(true);
		watch.start();
		return watch;
	}

	/** The failure of a task, without Spark's trace of it. */
	private static RuntimeException failure(final Exception e) {
		for (Throwable t = e; t != null; t = t.getCause())
			if (t instanceof RuntimeException && !(t instanceof SparkException) && !t.getClass().getName().startsWith("org.apache.spark.")) return (RuntimeException) t;
		final String message = String.valueOf(e.getMessage());
		return new NccException("Spark: " + message.lines().filter(line -> !line.isBlank()).findFirst().orElse(message), e);
	}

	@Override
	public String summary() {
		return tasks + (tasks == 1 ? " task on " : " tasks on ") + executors.size() + (executors.size() == 1 ? " executor" : " executors") + " by " + String.join(", ", algorithms);
	}

	@Override
	public void close() {
		ExecutorParts.close();
		if (context != null) context.stop();
	}
}
