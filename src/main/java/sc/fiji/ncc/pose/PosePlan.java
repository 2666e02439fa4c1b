package sc.fiji.ncc.pose;

import java.util.List;

import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.bank.Members;

/**
 * How the poses are searched.
 *
 * @param set the poses
 * @param problem what the planner ranks
 * @param members the members of each family, with the bounds of those for which a basis saves time
 * @param lines the decisions, in words, one line per family
 * @param seconds the predicted seconds of the samples and of the bases
 */
record PosePlan(PoseSet set, BoundedBank problem, List<Members> members, List<String> lines, double seconds) {}
