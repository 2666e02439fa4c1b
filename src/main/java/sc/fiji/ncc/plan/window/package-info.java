/**
 * Algorithms for {@link sc.fiji.ncc.plan.WindowPairs}, their plans and executions. Start with {@link sc.fiji.ncc.plan.window.WindowExecution}.
 */
package sc.fiji.ncc.plan.window;
