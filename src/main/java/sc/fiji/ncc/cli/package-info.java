/**
 * The command line: one class per subcommand, and the options that they share. {@link sc.fiji.ncc.cli.Main} lists the subcommands. Nothing
 * calls it. Start there.
 */
package sc.fiji.ncc.cli;
