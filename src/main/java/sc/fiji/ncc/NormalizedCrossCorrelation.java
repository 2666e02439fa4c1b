package sc.fiji.ncc;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Ranking;

public final class NormalizedCrossCorrelation {
	public static NormalizedCrossCorrelation of(final RandomAccessibleInterval<?> template) { throw new UnsupportedOperationException(); }
	/** null: every pixel counts */
	public NormalizedCrossCorrelation mask(final RandomAccessibleInterval<?> mask) { return this; }
	public NormalizedCrossCorrelation extent(final Extent extent) { return this; }
	/** default: UNDEFINED for SAME, OVERLAP for FULL */
	public NormalizedCrossCorrelation border(final Border border) { return this; }
	public NormalizedCrossCorrelation leastOverlap(final double share) { return this; }
	public NormalizedCrossCorrelation undefined(final Undefined undefined) { return this; }
	/** The responses wanted, in the coordinates of the image (see Extent for where a response lies); null: all. As many dimensions as the template. */
	public NormalizedCrossCorrelation search(final Interval responses) { return this; }
	public NormalizedCrossCorrelation threads(final int threads) { return this; }
	/** auto, cpu, cuda */
	public NormalizedCrossCorrelation backend(final String backend) { return this; }
	/** null: the planner's choice */
	public NormalizedCrossCorrelation algorithm(final String id) { return this; }
	public NormalizedCrossCorrelation monitor(final Monitor monitor) { return this; }
	/** dimensions beyond the template's are frames; image of any RealType, else IllegalArgumentException */
	public Response correlate(final RandomAccessibleInterval<?> image) { throw new UnsupportedOperationException(); }
	public Ranking explain(final RandomAccessibleInterval<?> image) { throw new UnsupportedOperationException(); }
}
