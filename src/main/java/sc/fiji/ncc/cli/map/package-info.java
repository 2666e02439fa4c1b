/**
 * Writing maps: TIFF and MRC files, Zarr folders and 8-bit pictures, from memory or chunk by chunk, one file or a folder. A format whose files hold planes one
 * after the other extends {@link sc.fiji.ncc.cli.map.PlaneFile}, which {@code MapWriter}, {@code StackWriter} and {@code PlaneMap} write. Another format needs
 * the end of its file names in {@code StackWriter.writes}, the choice in {@code MapFiles.make}, and in {@code MapsOnDisk} a store for maps larger than memory.
 * {@code PoseMaps} has the maps of a search for poses, {@code cli.BestOfTemplates} the numbers of the best templates. {@code FolderOfMaps}
 * always writes TIFF files. The subcommands call this package. Start with {@link sc.fiji.ncc.cli.map.MapFiles}.
 */
package sc.fiji.ncc.cli.map;

