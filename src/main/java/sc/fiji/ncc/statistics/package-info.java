/**
 * The statistics of responses where the template does not occur: the distribution of the scores of background, the expected number of false matches in a search,
 * and the minimum score for a given number of false matches. The entry points of the library fill {@link sc.fiji.ncc.statistics.MapSample} while the responses
 * pass, and call {@link sc.fiji.ncc.statistics.Background}. Start with {@code Background}. A statistic of a match is a component of {@code result.Match}, which
 * {@code parts.FrameMaxima} fills, and a column in {@code command.FoundMatches} and in {@code cli.output.MatchTable}. The model is described in {@code
 * src/doc/statistics.md}.
 */
package sc.fiji.ncc.statistics;
