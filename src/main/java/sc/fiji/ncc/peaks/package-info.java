/**
 * From a response map to the places worth reporting: local maxima, suppression of overlapping windows, sub-pixel refinement. Knows nothing
 * of images: it sees rows of floats and positions in 1 to 4 dimensions, so that a map may be larger than an array can be.
 */
package sc.fiji.ncc.peaks;
