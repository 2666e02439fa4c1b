package sc.fiji.ncc.cuda;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * Pairs of frames on several equal devices. Each device transforms a share of the frames, and measures the pairs whose moving frame is in
 * its share. A call of a few frames, or any call if there is one thread, uses one device in the calling thread; the devices take turns. If
 * another device has the fixed frame of such a pair, this device reads and transforms it, too, and keeps it for later pairs. If one device
 * fails, the whole execution has failed, and the caller continues with the next candidate.
 */
final class MultiDeviceShifts implements ShiftExecution {

	private final List<ShiftExecution> members;
	private final Parallel parallel;
	/** Calls of up to this number of frames use one device. */
	private final int few;
	private final AtomicInteger turns = new AtomicInteger();

	/** @param owner the device of its share */
	private record Shared(Frame frame, boolean isFlat, int owner, Operand[] on) implements Operand {}

	/**
	 * @param members one execution for each device; this object closes them
	 * @param threads the maximum number of threads of the host
	 */
	MultiDeviceShifts(final List<ShiftExecution> members, final int threads) {
		this.members = List.copyOf(members);
		parallel = new Parallel(Math.min(threads, members.size()));
		few = threads == 1 ? Integer.MAX_VALUE : 2 * members.size();
	}

	/** A device may need all frames of a batch. */
	@Override
	public Capacity capacity() {
		final List<Capacity> each = members.stream().map(ShiftExecution::capacity).toList();
		return new Capacity(each.stream().mapToInt(Capacity::threads).sum(), Math.max(1, each.stream().mapToInt(Capacity::batches).min().orElseThrow() / each.size()),
			each.stream().mapToInt(Capacity::held).min().orElseThrow());
	}

	private interface Work {

		/** Works on the frames from one to another one on a device. */
		void on(int member, int from, int until);
	}

	/** Shares the frames of a call among the devices, or gives a few of them to one device. The next call begins with the next device. */
	private void share(final int frames, final Work work) {
		final int n = members.size(), turn = Math.floorMod(turns.getAndIncrement(), n);
		if (frames <= few) work.on(turn, 0, frames);
		else parallel.each(n, s -> work.on((s + turn) % n, first(s, frames), first(s + 1, frames)));
	}

	/** The first frame of a share: an even number, because the frames 2i and 2i + 1 may share a transform. */
	private int first(final int share, final int frames) {
		return share == members.size() ? frames : (int) ((long) frames * share / members.size()) / 2 * 2;
	}

	@Override
	public List<Operand> transform(final List<Frame> frames) {
		final Operand[] all = new Operand[frames.size()];
		share(all.length, (m, from, until) -> {
			final List<Operand> mine = members.get(m).transform(frames.subList(from, until));
			for (int i = from; i < until; i++) {
				final Operand[] on = new Operand[members.size()];
				on[m] = mine.get(i - from);
				all[i] = new Shared(frames.get(i), on[m].isFlat(), m, on);
			}
		});
		return Arrays.asList(all);
	}

	/** Transforms the frames that a device does not have. */
	private void require(final int member, final List<Shared> frames) {
		final List<Shared> missing = frames.stream().filter(f -> f.on[member] == null).distinct().toList();
		if (missing.isEmpty()) return;
		final List<Operand> made = members.get(member).transform(missing.stream().map(Shared::frame).toList());
		for (int i = 0; i < made.size(); i++) missing.get(i).on[member] = made.get(i);
	}

	private static int owner(final List<Pair> group) {
		return ((Shared) group.get(0).moving()).owner;
	}

	@Override
	public List<PairPeaks> correlate(final List<List<Pair>> groups) {
		final PairPeaks[][] found = new PairPeaks[groups.size()][];
		final int[] owners = groups.stream().mapToInt(MultiDeviceShifts::owner).distinct().toArray();
		parallel.each(owners.length, o -> {
			final int m = owners[o];
			final int[] mine = IntStream.range(0, found.length).filter(g -> owner(groups.get(g)) == m).toArray();
			final List<Shared> needed = new ArrayList<>();
			for (final int g : mine)
				for (final Pair p : groups.get(g)) needed.addAll(List.of((Shared) p.fixed(), (Shared) p.moving()));
			require(m, needed);
			final List<PairPeaks> peaks = members.get(m).correlate(Arrays.stream(mine).mapToObj(g -> groups.get(g).stream().map(p -> new Pair(
				((Shared) p.fixed()).on[m], ((Shared) p.moving()).on[m])).toList()).toList());
			int at = 0;
			for (final int g : mine) found[g] = peaks.subList(at, at += groups.get(g).size()).toArray(new PairPeaks[0]);
		});
		return Arrays.stream(found).flatMap(Arrays::stream).toList();
	}

	@Override
	public PairPeaks[] against(final Operand fixed, final List<Frame> frames, final boolean[] flat) {
		final PairPeaks[] found = new PairPeaks[frames.size()];
		share(found.length, (m, from, until) -> {
			require(m, List.of((Shared) fixed));
			final boolean[] mine = new boolean[until - from];
			System.arraycopy(members.get(m).against(((Shared) fixed).on[m], frames.subList(from, until), mine), 0, found, from, mine.length);
			System.arraycopy(mine, 0, flat, from, mine.length);
		});
		return found;
	}

	@Override
	public void keep(final Collection<Operand> frames) {
		for (int m = 0; m < members.size(); m++) members.get(m).keep(on(m, frames));
	}

	@Override
	public void release(final Collection<Operand> frames) {
		for (int m = 0; m < members.size(); m++) members.get(m).release(on(m, frames));
	}

	/** The frames that a device has. */
	private static List<Operand> on(final int member, final Collection<Operand> frames) {
		return frames.stream().map(f -> ((Shared) f).on[member]).filter(f -> f != null).toList();
	}

	/** Closes all members, even if one fails. */
	@Override
	public void close() {
		parallel.close();
		final RuntimeException failure = new DeviceException("closing " + members.size() + " devices failed");
		close(members, failure);
		if (failure.getSuppressed().length > 0) throw failure;
	}

	/** Closes executions. @param failure receives what fails */
	static void close(final List<ShiftExecution> members, final Throwable failure) {
		for (final ShiftExecution m : members) {
			try {
				m.close();
			}
			catch (final RuntimeException e) {
				failure.addSuppressed(e);
			}
		}
	}
}
