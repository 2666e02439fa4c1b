/**
 * Windows of a grid that are correlated with another frame: a patch is a block of pixels that all windows over it share. Start with {@link
 * sc.fiji.ncc.cpu.patch.PatchExecution}, then {@link sc.fiji.ncc.cpu.patch.PatchTile}.
 */
package sc.fiji.ncc.cpu.patch;
