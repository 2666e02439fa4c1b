/**
 * The CPU backend. {@link sc.fiji.ncc.cpu.CpuBackend} lists its algorithms in one ordered list: a new algorithm is one new class in {@code
 * cpu.ncc} or {@code cpu.convolution} and one line there. Only the public API creates it.
 */
package sc.fiji.ncc.cpu;
