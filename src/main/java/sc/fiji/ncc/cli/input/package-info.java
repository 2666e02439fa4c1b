/**
 * Reading input images (the option {@code --picture} writes; see {@code cli.map}): TIFF, MRC, PNG, PGM, Zarr, kernels as text, and the frames of
 * stacks and folders. To add an input format, write a reader beside {@link sc.fiji.ncc.cli.input.PgmReader}, recognise it in
 * {@link sc.fiji.ncc.cli.input.ImageFiles}, and add its name and its file name extension there. The subcommands call it. Start with
 * {@code ImageFiles}.
 */
package sc.fiji.ncc.cli.input;
