/**
 * Images and maps on disk, read and written chunk by chunk: Zarr and OME-Zarr. Front ends call it. Add a chunked file format here. Start
 * with {@link sc.fiji.ncc.store.OmeZarr}.
 */
package sc.fiji.ncc.store;
