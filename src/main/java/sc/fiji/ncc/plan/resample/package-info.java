/**
 * Algorithms for {@link sc.fiji.ncc.plan.Resampling}, their plans and executions. Start with {@link sc.fiji.ncc.plan.resample.Sampler}.
 */
package sc.fiji.ncc.plan.resample;
