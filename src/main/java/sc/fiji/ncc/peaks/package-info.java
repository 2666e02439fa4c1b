/**
 * From a response map to matches: local maxima, suppression of overlapping windows, sub-pixel refinement. The package uses no images: its input are
 * rows of floats and positions in 1 to 4 dimensions, so that a map may be larger than an array.
 */
package sc.fiji.ncc.peaks;
