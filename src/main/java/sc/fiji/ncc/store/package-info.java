/**
 * Files that all front ends share: images and maps in chunks (Zarr, OME-Zarr), and drifts as JSON ({@link sc.fiji.ncc.store.DriftFile}). The front ends and
 * {@code register.correct} call it. A format in chunks is decoded here, and {@code cli.input.ImageFiles} recognises it. Formats of one file are in {@code
 * cli.input}. Start with {@link sc.fiji.ncc.store.OmeZarr}.
 */
package sc.fiji.ncc.store;
