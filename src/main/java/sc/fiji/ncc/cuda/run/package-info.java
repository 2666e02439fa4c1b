/**
 * How submissions run on a device: cutting boxes into slabs, copying while computing, fetching maps, peaks or best scores. Also the layout of boxes, and which
 * of their pixels are missing. Algorithms call it with a {@link sc.fiji.ncc.cuda.run.CudaMethod}. Start with {@link sc.fiji.ncc.cuda.run.CudaExecution}.
 */
package sc.fiji.ncc.cuda.run;
