/**
 * Algorithms for {@link sc.fiji.ncc.plan.Deformations}, their plans and executions. Start with {@link
 * sc.fiji.ncc.plan.deform.DeformExecution}.
 */
package sc.fiji.ncc.plan.deform;
