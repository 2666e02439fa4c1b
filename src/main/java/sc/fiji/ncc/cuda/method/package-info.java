/**
 * The GPU methods: each launches the kernels of one main {@code .cu} file, named in its Javadoc, and shared ones for window sums and rechecks. A
 * method owns the arrays that its kernels need. An algorithm may use several methods. Other packages launch some files: {@code cuda.run} launches
 * {@code peaks.cu}; {@code cuda.shifts} launches {@code smallshifts.cu}, {@code shiftwindows.cu} and {@code shiftresponses.cu}; {@code cuda.frame}
 * launches {@code frames.cu} and {@code shiftfit.cu}. {@code BoundedSearch} launches {@code poses.cu}. Start with {@link
 * sc.fiji.ncc.cuda.method.ExactMethod}.
 */
package sc.fiji.ncc.cuda.method;
