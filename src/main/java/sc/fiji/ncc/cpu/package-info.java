/**
 * The CPU backend. {@link sc.fiji.ncc.cpu.CpuBackend} lists its algorithms in one ordered list: a new algorithm is one new class in {@code
 * cpu.ncc} or {@code cpu.convolution}, one line there, and its id, at the same place, in the {@code choices} of the parameter {@code
 * algorithm} of the commands. {@code AlgorithmChoicesTest} fails until it is there. Only the public API creates it.
 */
package sc.fiji.ncc.cpu;
