/**
 * Algorithms for {@link sc.fiji.ncc.plan.FramePairs}, their plans and executions. Start with {@link sc.fiji.ncc.plan.shift.ShiftExecution}.
 */
package sc.fiji.ncc.plan.shift;
