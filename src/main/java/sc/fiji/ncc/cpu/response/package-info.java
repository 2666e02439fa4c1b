/**
 * Turns sums into responses: the division of a row of numerators by its norms ({@link sc.fiji.ncc.cpu.response.Normalisation}, with the
 * formula), and the recheck of single windows whose estimated error is above the tolerance ({@link sc.fiji.ncc.cpu.response.Rechecks}). The
 * algorithms of {@code cpu.ncc} use it. Start with {@code Normalisation}.
 */
package sc.fiji.ncc.cpu.response;
