/**
 * The interfaces between operations and algorithms, and the values that pass between them. Each kind of {@link sc.fiji.ncc.plan.Problem}
 * has an {@link sc.fiji.ncc.plan.Algorithm}, a {@link sc.fiji.ncc.plan.Plan} and an execution. {@link sc.fiji.ncc.plan.Sliding.Correlation}
 * and {@link sc.fiji.ncc.plan.Sliding.Convolution} share {@link sc.fiji.ncc.plan.SlidingAlgorithm}, {@link sc.fiji.ncc.plan.SlidingPlan}
 * and {@link sc.fiji.ncc.plan.Execution}; {@link sc.fiji.ncc.plan.FramePairs} has {@link sc.fiji.ncc.plan.shift.ShiftAlgorithm}, {@link
 * sc.fiji.ncc.plan.shift.ShiftPlan} and {@link sc.fiji.ncc.plan.shift.ShiftExecution}; {@link sc.fiji.ncc.plan.WindowPairs} has those of
 * {@code plan.window}, {@link sc.fiji.ncc.plan.BoundedBank} those of {@code plan.bank}, {@link sc.fiji.ncc.plan.Resampling} those of {@code
 * plan.resample}, and {@link sc.fiji.ncc.plan.Deformations} those of {@code plan.deform}. The choice between algorithms is in {@code
 * planner}. This package imports the JDK only. Every other package may use it. Start with {@link sc.fiji.ncc.plan.Sliding}, then {@link
 * sc.fiji.ncc.plan.SlidingAlgorithm}.
 */
package sc.fiji.ncc.plan;
