/**
 * Owns the CUDA driver: devices, contexts, memory, streams, and GPU kernels that are compiled at run time and cached. The other CUDA packages call it. They use
 * JCuda's pointers, and call JCuda directly only for a few copies, waits, constants and textures. Start with {@link sc.fiji.ncc.cuda.driver.CudaDevice}.
 */
package sc.fiji.ncc.cuda.driver;
