/** CUDA devices: the only package that reaches the driver (JCuda) and NVIDIA's libraries (JNA). */
package sc.fiji.ncc.cuda;
