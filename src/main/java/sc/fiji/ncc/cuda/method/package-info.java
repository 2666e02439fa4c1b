/**
 * The GPU methods: each launches the kernels of one {@code .cu} file and owns the arrays that they need. Algorithms combine them. Start with
 * {@link sc.fiji.ncc.cuda.method.ExactMethod}.
 */
package sc.fiji.ncc.cuda.method;
