/**
 * The preview of a search while its dialog is open, and graphs of scores. It has no windows: {@code command.program.LiveView} draws. The command Find Matches calls
 * it. Start with {@link sc.fiji.ncc.command.live.MatchPreview}.
 */
package sc.fiji.ncc.command.live;
