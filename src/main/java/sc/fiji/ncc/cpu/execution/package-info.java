/**
 * How tiles are computed on several threads: cutting lags into tiles, sharing what templates of one size have in common, keeping tiles of a
 * prepared image. The algorithms call it with a {@link sc.fiji.ncc.cpu.execution.TileMethod}. Start with {@link
 * sc.fiji.ncc.cpu.execution.TiledExecution}.
 */
package sc.fiji.ncc.cpu.execution;
