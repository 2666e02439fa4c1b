/**
 * Output files that are complete or absent, tables as CSV, and progress on a terminal. The other packages of the command line call it. Start with
 * {@link sc.fiji.ncc.cli.output.Outputs}.
 */
package sc.fiji.ncc.cli.output;
