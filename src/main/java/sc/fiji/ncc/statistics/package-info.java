/**
 * The statistics of responses where the template does not occur: the distribution of the scores of background, the expected number of false matches in a search,
 * and the minimum score for a given number of false matches. The entry points of the library fill {@link sc.fiji.ncc.peaks.MapSample} while the responses
 * pass, and call {@link sc.fiji.ncc.statistics.Background}. Start with {@code Background}. {@code match} gives each match its statistics. The model is described in
 * {@code src/doc/statistics.md}.
 */
package sc.fiji.ncc.statistics;
