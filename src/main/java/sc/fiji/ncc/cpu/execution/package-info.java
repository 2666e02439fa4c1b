/**
 * The computation of tiles on several threads: cutting lags into tiles, sharing the data of templates of one size, keeping the tiles of a
 * prepared image. The algorithms call this package with a {@link sc.fiji.ncc.cpu.execution.TileMethod}. Start with {@link
 * sc.fiji.ncc.cpu.execution.TiledExecution}.
 */
package sc.fiji.ncc.cpu.execution;
