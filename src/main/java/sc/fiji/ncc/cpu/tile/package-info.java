/**
 * The pixels of a tile as numbers: reading rows, scaling, the planes of a template, and the test for flat windows. The
 * other packages of the CPU backend call this package. Start with {@link sc.fiji.ncc.cpu.tile.TileReader}.
 */
package sc.fiji.ncc.cpu.tile;
