/** Deformations of frames on a GPU. Start with {@link sc.fiji.ncc.cuda.deform.GpuDeform}. */
package sc.fiji.ncc.cuda.deform;
