/**
 * Algorithms for {@link sc.fiji.ncc.plan.BoundedBank}, their plans and executions. Start with {@link sc.fiji.ncc.plan.bank.BankExecution}, then {@link
 * sc.fiji.ncc.plan.bank.Bounds}.
 */
package sc.fiji.ncc.plan.bank;
