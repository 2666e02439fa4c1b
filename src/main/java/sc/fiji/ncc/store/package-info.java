/**
 * Images and maps on disk, read and written chunk by chunk: Zarr and OME-Zarr. Front ends call it. A format in chunks is decoded here, and {@code cli.picture.ImageFiles} recognises it. Formats of
 * one file are in {@code cli.picture}. Start
 * with {@link sc.fiji.ncc.store.OmeZarr}.
 */
package sc.fiji.ncc.store;
