/**
 * The CPU's algorithms for normalized cross-correlation, one class each, and their fallback from float to double to exact scores where an
 * error estimate exceeds the tolerance. The backend lists the algorithms. An algorithm implements {@code plan.Algorithm}. Its plan is a {@code TiledPlan} over a
 * {@code TileMethod}; with float numerators that is {@code FallbackTiles} over a {@code NumeratorMethod}. Start with {@link sc.fiji.ncc.cpu.ncc.CpuDirect}, then {@link
 * sc.fiji.ncc.cpu.ncc.FallbackTiles}.
 */
package sc.fiji.ncc.cpu.ncc;
