/**
 * Writing maps: TIFF, Zarr, pictures, in memory or chunk by chunk, one file or a folder. A file format to write is added in {@link
 * sc.fiji.ncc.cli.map.MapFiles}. The subcommands call it.
 */
package sc.fiji.ncc.cli.map;
