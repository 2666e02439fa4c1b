package sc.fiji.ncc.result;

import java.util.List;

import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Ranking;

/**
 * What became of a stream of frames.
 *
 * @param frames how many there were
 * @param report counts of the lags that were computed, over all templates and frames
 * @param rankings the candidates for each set of templates that went through together, as they were for the last frames; none if there was no frame
 * @param seconds wall clock, from asking for the first frame to the last result's being taken
 * @param latency seconds from when a frame's pixels were read until its result was handed over, in the mean: frames that are in flight together wait
 *        for each other
 * @param longestLatency the longest of these
 */
public record StreamReport(long frames, Report report, List<Ranking> rankings, double seconds, double latency, double longestLatency) {}
