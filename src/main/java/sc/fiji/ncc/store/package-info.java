/**
 * Images on a disk, read cell by cell on demand, and maps written there chunk by chunk: Zarr of version 2 and 3, OME-Zarr. Knows the plan's types
 * and {@link sc.fiji.ncc.MapStore}.
 */
package sc.fiji.ncc.store;
