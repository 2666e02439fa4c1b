/**
 * Writing maps: TIFF files, Zarr folders and 8-bit pictures, from memory or chunk by chunk, one file or a folder. An output format is a class
 * beside {@link sc.fiji.ncc.cli.map.TiffWriter}, the end of its file names in {@link sc.fiji.ncc.cli.map.MapWriter}, and the choice between a file and a folder in {@link
 * sc.fiji.ncc.cli.map.MapFiles}. The subcommands call this package. Start with {@code MapFiles}.
 */
package sc.fiji.ncc.cli.map;
