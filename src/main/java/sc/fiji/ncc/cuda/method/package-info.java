/**
 * The GPU methods: each launches the kernels of one main {@code .cu} file, named in its Javadoc, and shared ones for window sums and rechecks. It owns the arrays
 * that they need. Algorithms combine them. {@code peaks.cu} is launched in {@code cuda.run}, the files of small shifts in {@code cuda.shifts}. Start with
 * {@link sc.fiji.ncc.cuda.method.ExactMethod}.
 */
package sc.fiji.ncc.cuda.method;
