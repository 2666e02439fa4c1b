package sc.fiji.ncc.result;

import java.util.List;

import sc.fiji.ncc.planner.Ranking;

/**
 * How rotated templates are searched.
 *
 * @param poses the number of poses, over all templates
 * @param lines the decision for each template and scale: the number of correlations, and the estimated times
 * @param bytes the memory for the sampled templates and for the correlations of a box
 * @param rankings the candidates of the engine for each bank of correlations
 */
public record PoseReport(int poses, List<String> lines, long bytes, List<Ranking> rankings) {}
