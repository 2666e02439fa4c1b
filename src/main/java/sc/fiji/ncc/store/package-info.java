/**
 * Images and maps on disk, read and written chunk by chunk: Zarr and OME-Zarr. Front ends call it. A chunked file format is added here. Start
 * with {@link sc.fiji.ncc.store.OmeZarr}.
 */
package sc.fiji.ncc.store;
