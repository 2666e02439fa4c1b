package sc.fiji.ncc.register;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The shifts of the pairs of two frames.
 *
 * @param flat the numbers of those of the two frames that are flat
 * @param shifts the shifts that were found
 */
public record PairTaskResult(PairTask task, List<Integer> flat, ArrayList<ShiftSolver.Edge> shifts) implements Serializable {}
