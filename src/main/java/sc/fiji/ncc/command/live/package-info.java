/** The preview of a search while its dialog is open, without windows: {@link sc.fiji.ncc.command.live.MatchPreview}. Graphs of scores. */
package sc.fiji.ncc.command.live;
