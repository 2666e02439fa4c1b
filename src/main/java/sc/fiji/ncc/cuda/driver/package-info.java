/**
 * The only package that calls JCuda and JNA: the driver, devices, memory, streams, and GPU kernels that are compiled at run time and cached.
 * The other CUDA packages call it. Start with {@link sc.fiji.ncc.cuda.driver.CudaDevice}.
 */
package sc.fiji.ncc.cuda.driver;
