package sc.fiji.ncc;

/**
 * How large a map will be and where it lies.
 *
 * @param size responses along each dimension of the image
 * @param origin where the first response lies, in pixels of the image, one number for each dimension
 */
public record MapShape(long[] size, long[] origin) {}
