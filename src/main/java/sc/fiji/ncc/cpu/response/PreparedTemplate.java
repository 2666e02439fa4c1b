package sc.fiji.ncc.cpu.response;

import java.util.List;

import sc.fiji.ncc.cpu.window.OverlapSums;
import sc.fiji.ncc.plan.Template;

/**
 * A template with the numbers that its responses need.
 *
 * @param norm {@code √Σ w·(T - mean T)²}
 * @param overlapSums the sums of each channel where the template overlaps the image in part; empty if windows never leave the image or have missing pixels
 */
public record PreparedTemplate(Template template, double norm, List<OverlapSums> overlapSums) {}
