/**
 * Reading images: TIFF, PNG, PGM, Zarr, kernels as text, and the frames of stacks and folders. To add an input format, start in {@link
 * sc.fiji.ncc.cli.picture.ImageFiles}. The subcommands call it.
 */
package sc.fiji.ncc.cli.picture;
