package sc.fiji.ncc.cuda;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * Pairs of frames on several equal devices. Each device transforms a share of the frames, and measures the pairs whose moving frame is in its share. If
 * another device has the fixed frame of such a pair, this device reads and transforms it, too, and keeps it for later pairs. If one device fails, the whole
 * execution has failed, and the caller continues with the next candidate.
 */
final class MultiDeviceShifts implements ShiftExecution {

	private final List<ShiftExecution> members;
	private final Parallel parallel;

	/** @param owner the device of its share */
	private record Shared(Frame frame, boolean isFlat, int owner, Operand[] on) implements Operand {}

	/** @param members one execution for each device; this object closes them */
	MultiDeviceShifts(final List<ShiftExecution> members) {
		this.members = List.copyOf(members);
		parallel = new Parallel(members.size());
	}

	/** A device may need all frames of a batch. */
	@Override
	public Capacity capacity() {
		final List<Capacity> each = members.stream().map(ShiftExecution::capacity).toList();
		return new Capacity(each.stream().mapToInt(Capacity::threads).sum(), Math.max(1, each.stream().mapToInt(Capacity::batches).min().orElseThrow() / each.size()),
			each.stream().mapToInt(Capacity::held).min().orElseThrow());
	}

	/** The first frame of a device's share: an even number, because the frames 2i and 2i + 1 may share a transform. */
	private int first(final int member, final int frames) {
		return member == members.size() ? frames : (int) ((long) frames * member / members.size()) / 2 * 2;
	}

	@Override
	public List<Operand> transform(final List<Frame> frames) {
		final Operand[] all = new Operand[frames.size()];
		parallel.each(members.size(), m -> {
			final int from = first(m, all.length), until = first(m + 1, all.length);
			if (from == until) return;
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

	@Override
	public List<PairPeaks> correlate(final List<List<Pair>> groups) {
		final PairPeaks[][] found = new PairPeaks[groups.size()][];
		parallel.each(members.size(), m -> {
			final int[] mine = IntStream.range(0, found.length).filter(g -> ((Shared) groups.get(g).get(0).moving()).owner == m).toArray();
			if (mine.length == 0) return;
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
		parallel.each(members.size(), m -> {
			final int from = first(m, found.length), n = first(m + 1, found.length) - from;
			if (n == 0) return;
			require(m, List.of((Shared) fixed));
			final boolean[] mine = new boolean[n];
			System.arraycopy(members.get(m).against(((Shared) fixed).on[m], frames.subList(from, from + n), mine), 0, found, from, n);
			System.arraycopy(mine, 0, flat, from, n);
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
