/** Deformations of frames on the CPU. Start with {@link sc.fiji.ncc.cpu.deform.DeformedCells}. */
package sc.fiji.ncc.cpu.deform;
