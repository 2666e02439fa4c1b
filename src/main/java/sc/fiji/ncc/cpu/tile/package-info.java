/**
 * How a tile's pixels become numbers: reading rows, scaling, the planes of a template, and a second look at windows that may be flat. The
 * other packages of the CPU backend call it. Start with {@link sc.fiji.ncc.cpu.tile.TileReader}.
 */
package sc.fiji.ncc.cpu.tile;
