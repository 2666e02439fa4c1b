/**
 * Reading pictures: TIFF, PNG, PGM, Zarr, kernels as text, and the frames of stacks and folders. A file format to read is added in {@link
 * sc.fiji.ncc.cli.picture.ImageFiles}. The subcommands call it.
 */
package sc.fiji.ncc.cli.picture;
