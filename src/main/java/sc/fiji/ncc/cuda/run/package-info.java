/**
 * How submissions run on a device: cutting boxes into slabs, copying while computing, fetching maps, peaks or best scores. Algorithms call it
 * with a {@link sc.fiji.ncc.cuda.run.CudaMethod}. Start with {@link sc.fiji.ncc.cuda.run.CudaExecution}.
 */
package sc.fiji.ncc.cuda.run;
