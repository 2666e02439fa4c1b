/**
 * Writing maps: TIFF files, Zarr folders and 8-bit pictures, from memory or chunk by chunk, one file or a folder. To add an output format, start in {@link
 * sc.fiji.ncc.cli.map.MapFiles}. The subcommands call it.
 */
package sc.fiji.ncc.cli.map;
