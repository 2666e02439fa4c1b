/**
 * Mosaics from tiles: the layout of the tiles, the links between neighbours, the positions that fit all links, and the fused image. Start with
 * {@link sc.fiji.ncc.stitch.StitchParts}, then {@link sc.fiji.ncc.stitch.MosaicSolver}.
 */
package sc.fiji.ncc.stitch;
