/**
 * Writing maps: TIFF files, Zarr folders and 8-bit pictures, from memory or chunk by chunk, one file or a folder. An output format needs: a writer beside {@link
 * sc.fiji.ncc.cli.map.TiffWriter}; the end of its file names, and the call, in {@link sc.fiji.ncc.cli.map.MapWriter}; the choice in {@code MapFiles.make}; in
 * {@code MapsOnDisk}, a store for maps larger than memory; and in {@code StreamedMaps}, the maps of many frames. {@code StackWriter} does the same for corrected
 * stacks, and {@code cli.BestOfTemplates} for the numbers of the best templates. {@code FolderOfMaps} always writes TIFF files. The subcommands call this
 * package. Start with {@link sc.fiji.ncc.cli.map.MapFiles}.
 */
package sc.fiji.ncc.cli.map;
