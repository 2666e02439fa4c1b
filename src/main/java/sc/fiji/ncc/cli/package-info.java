/**
 * The command line: one class per subcommand, and the options that they share. The package {@code spark} calls {@code Main}, and computes subcommands on a
 * cluster through {@link sc.fiji.ncc.cli.Cluster} and {@link sc.fiji.ncc.cli.ClusterTask}. Start with {@link sc.fiji.ncc.cli.Main}, which lists the subcommands.
 */
package sc.fiji.ncc.cli;
