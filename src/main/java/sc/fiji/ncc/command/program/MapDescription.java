package sc.fiji.ncc.command.program;

import java.util.Map;

/**
 * What makes a response map an image of the program.
 *
 * @param name the title
 * @param source the image that it came from, whose axes and calibration it takes; as many dimensions as the map
 * @param origin where the map's first pixel lies, in pixels of {@code source}, one number per dimension
 * @param min the value shown black
 * @param max the value shown white
 * @param properties what else is to be known of it, by names without blanks
 */
public record MapDescription(String name, ImageInput source, long[] origin, double min, double max, Map<String, String> properties) {}
