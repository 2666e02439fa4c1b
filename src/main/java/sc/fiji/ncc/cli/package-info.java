/**
 * The command line: one class per subcommand, and the options that they share. No other package calls it. Start with {@link sc.fiji.ncc.cli.Main}, which
 * lists the subcommands.
 */
package sc.fiji.ncc.cli;
