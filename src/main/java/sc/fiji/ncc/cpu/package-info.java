/**
 * The CPU backend. {@link sc.fiji.ncc.cpu.CpuBackend} lists its algorithms in one ordered list. A new algorithm needs: one class in {@code cpu.ncc} or {@code
 * cpu.convolution}; one line in the list; and its id, in the same order, in the choices of the parameter {@code algorithm}: for NCC in {@code
 * NormalizedCrossCorrelationCommand}, {@code FindMatchesCommand}, {@code TrackTemplatesCommand} and {@code ReportPlanCommand}, for convolution in {@code
 * ConvolveImageCommand} ({@code AlgorithmChoicesTest} compares them). {@code AlgorithmContractTest} tests it without a change. Only the public API creates the
 * backend. Start with {@code CpuBackend}, then {@code cpu.ncc}.
 */
package sc.fiji.ncc.cpu;
