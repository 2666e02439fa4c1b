/**
 * The CPU's algorithms for normalized cross-correlation, one class each. An algorithm is a {@code plan.SlidingAlgorithm}, and its plan a {@code
 * TiledPlan} over a {@code CorrelationMethod}: the numerators, window sums and division of a batch of templates. {@code CorrelationWorker} computes a
 * tile with them, and falls back from float to double to exact scores where an error estimate exceeds the tolerance. Numerators are in {@code
 * cpu.fourier} and in {@code DirectNumerator}, window sums in {@code cpu.window}, the division and the recheck in {@code cpu.response}. Start with
 * {@link sc.fiji.ncc.cpu.ncc.CpuDirect}, then {@code CorrelationWorker}.
 */
package sc.fiji.ncc.cpu.ncc;
