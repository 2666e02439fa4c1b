/**
 * The interfaces between operations and algorithms: {@link sc.fiji.ncc.plan.Problem}, {@link sc.fiji.ncc.plan.Algorithm}, {@link sc.fiji.ncc.plan.Plan}, {@link
 * sc.fiji.ncc.plan.Execution}, and the values that they exchange. The choice between algorithms is in {@code planner}. This package imports the JDK only. Every
 * other package may use it. Start with {@link sc.fiji.ncc.plan.Problem}, then {@link sc.fiji.ncc.plan.Algorithm}.
 */
package sc.fiji.ncc.plan;
