/**
 * The windows of pairs of frames on a GPU, which share sums of products over patches: {@code patches.cu} and {@code windowfit.cu}. Only the algorithm
 * {@code cuda-windows} calls it. Start with {@link sc.fiji.ncc.cuda.window.GpuWindows}.
 */
package sc.fiji.ncc.cuda.window;
