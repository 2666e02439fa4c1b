package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.Pose;

class PoseGridTest {

	private static final Template PLANE = TemplateReader.read(PoseImages.template(PoseImages.object(11, 8), 17, 17), null, false);

	@Test
	void anglesOfARange() {
		assertArrayEquals(new double[] { 0, 90, 180, 270 }, PoseGrid.angleRange(0, 360, 90), "a full turn is no turn");
		assertArrayEquals(new double[] { 0, 100, 200, 300 }, PoseGrid.angleRange(0, 360, 100));
		assertArrayEquals(new double[] { -20, -5, 10 }, PoseGrid.angleRange(-20, 24, 15));
		assertArrayEquals(new double[] { 10, 130, 250 }, PoseGrid.angleRange(10, 1000, 120), "not more than a turn");
		assertArrayEquals(new double[] { 7 }, PoseGrid.angleRange(7, 7, 1));
		assertEquals(4, PoseGrid.angleRange(0, 0.3, 0.1).length, "three tenths are below 0.3 in double");
		assertEquals(100_000, PoseGrid.angleRange(0, 99_999e-3, 1e-3).length);
		refused("are more than 100000", () -> PoseGrid.angleRange(0, 100, 1e-3));
		refused("the angles run from 2.0 to 1.0", () -> PoseGrid.angleRange(2, 1, 1));
		refused("the angles run from -Infinity", () -> PoseGrid.angleRange(Double.NEGATIVE_INFINITY, 1, 1));
		refused("the angles run from 0.0 to Infinity", () -> PoseGrid.angleRange(0, Double.POSITIVE_INFINITY, 1));
		refused("the step of the angles is 0.0", () -> PoseGrid.angleRange(0, 1, 0));
	}

	@Test
	void scalesOfARange() {
		assertArrayEquals(new double[] { 0.5, 1, 2 }, PoseGrid.scaleRange(0.5, 2, 2), 1e-15);
		assertArrayEquals(new double[] { 1, 1.5 }, PoseGrid.scaleRange(1, 2, 1.5));
		assertArrayEquals(new double[] { 3 }, PoseGrid.scaleRange(3, 3, 1.1));
		assertEquals(4, PoseGrid.scaleRange(1, 1.1 * 1.1 * 1.1, 1.1).length);
		refused("the scales run from 2.0 to 1.0", () -> PoseGrid.scaleRange(2, 1, 2));
		refused("the factor between scales is 1.0", () -> PoseGrid.scaleRange(1, 2, 1));
		refused("are more than 100000", () -> PoseGrid.scaleRange(1, 2, 1 + 1e-6));
		refused("the scale is 0.0", () -> PoseGrid.scaleRange(0, 2, 2));
		refused("the scale is Infinity", () -> PoseGrid.scaleRange(1, Double.POSITIVE_INFINITY, 2));
	}

	/** Scale by scale; of each scale the mirrored poses last. */
	@Test
	void orderOfThePoses() {
		final PoseGrid grid = PoseGrid.DEFAULT.angles(new double[] { 5, 10 }).scales(new double[] { 1, 0.8 });
		assertEquals(List.of(Pose.of(5, 1, false), Pose.of(10, 1, false), Pose.of(5, 0.8, false), Pose.of(10, 0.8, false)), grid.poses(List.of(PLANE)));
		assertEquals(List.of(Pose.of(5, 1, false), Pose.of(10, 1, false), Pose.of(5, 1, true), Pose.of(10, 1, true)),
			grid.scales(new double[] { 1 }).mirrored(true).poses(List.of(PLANE)));
		final Template volume = new Template(Size.of(3, 3, 3), PixelType.F64, new Random(1).doubles(27).toArray(), null);
		final double[] q = { 0.6, 0, 0.8, 0 };
		assertEquals(List.of(Pose.of(q, 1, false), Pose.of(q, 0.8, false)), grid.angles(null).rotations(List.of(q)).poses(List.of(volume)));
		refused("there are no rotations for templates with 3 dimensions", () -> grid.angles(null).poses(List.of(volume)));
		final PoseGrid many = grid.angles(PoseGrid.angleRange(0, 359, 0.004)).scales(PoseGrid.scaleRange(1, 2, 1.01));
		final int angles = many.angles().length, scales = many.scales().length;
		assertTrue(angles * scales < 10_000_000 && 2 * angles * scales > 10_000_000);
		refused(2 * angles * scales + " poses of each template are more than 10000000", () -> many.mirrored(true).poses(List.of(PLANE)));
	}

	/** The corner of 17x17 pixels is 12.02 from its centre: 1203 scales from 1 to 2 move it by 0.01 pixels each, and 15106 angles of a turn at scale 2. */
	@Test
	void stepsThatNobodyCanTellApartAreRefused() {
		final PoseGrid turn = PoseGrid.DEFAULT.angles(new double[] { 0, 90, 180, 270 });
		assertEquals(4 * 1203, turn.scales(even(1, 2, 1203)).poses(List.of(PLANE)).size());
		refused("1204 scales from 1.0 to 2.0 differ by less than 0.01 pixels at the corners of the template, and matches can be refined between them: give larger "
			+ "steps, at most 1203 scales", () -> turn.scales(even(1, 2, 1204)).poses(List.of(PLANE)));
		refused("69316 scales from 1.0 to 1.999999 differ", () -> turn.scales(PoseGrid.scaleRange(1, 2, 1.00001)).poses(List.of(PLANE)));
		assertEquals(4 * 1000, turn.scales(even(1, 1 + 1e-9, 1000)).poses(List.of(PLANE)).size(), "a thousand may have any steps");
		refused("at most 1000 scales", () -> turn.scales(even(1, 1 + 1e-9, 1001)).poses(List.of(PLANE)));
		final PoseGrid large = PoseGrid.DEFAULT.scales(new double[] { 2 });
		assertEquals(15_106, large.angles(even(0, 360, 15_106)).poses(List.of(PLANE)).size());
		refused("15107 angles from 0.0 to 360.0", () -> large.angles(even(0, 360, 15_107)).poses(List.of(PLANE)));
		refused("at most 7553 angles", () -> PoseGrid.DEFAULT.angles(even(0, 360, 15_100)).poses(List.of(PLANE)));
		// the largest template decides
		final Template wide = new Template(Size.of(170, 17), PixelType.F64, new Random(1).doubles(170 * 17).toArray(), null);
		assertEquals(4 * 1204, turn.scales(even(1, 2, 1204)).poses(List.of(PLANE, wide)).size());
	}

	private static double[] even(final double from, final double to, final int count) {
		return IntStream.range(0, count).mapToDouble(i -> from + (to - from) * i / (count - 1)).toArray();
	}

	/** The automatic step divides a turn, and neighbours correlate by 0.95: a step that is a quarter larger has a smaller correlation. */
	@Test
	void automaticStep() {
		for (final Template t : List.of(PLANE, TemplateReader.read(PoseImages.template(PoseImages.object(1, 40), 81, 81), null, false))) {
			final List<Pose> poses = PoseGrid.DEFAULT.poses(List.of(t));
			final double step = poses.get(1).angle();
			assertEquals(360.0 / poses.size(), step, 1e-9);
			assertEquals(360 - step, poses.get(poses.size() - 1).angle(), 1e-9);
			assertTrue(correlation(t, step) >= 0.95 && correlation(t, 1.3 * step) < 0.95, correlation(t, step) + " and " + correlation(t, 1.3 * step));
			assertEquals(poses.size(), PoseGrid.DEFAULT.poses(List.of(PLANE, t)).size(), "the finest step of all templates");
		}
		// neighbours correlate by the cosine of the step: the greatest one below 10° is 0.1° times 1.25^20
		final Template slope = TemplateReader.read(PoseImages.template((x, y) -> x, 13, 13), null, false);
		assertEquals(42, PoseGrid.DEFAULT.poses(List.of(slope)).size());
	}

	private static double correlation(final Template t, final double angle) {
		final PoseFamily f = PoseSet.of(List.of(t), List.of(Pose.of(0, 1, false), Pose.of(angle, 1, false)), PoseSupport.DISK, 0).families().get(0);
		double product = 0;
		for (int i = 0; i < f.members.length(); i++) product += (double) f.members.values()[0][i] * f.members.values()[1][i];
		return product;
	}

	/** Every rotation has a neighbour within 0.8 steps, and no two are closer than half a step. */
	@Test
	void uniformRotationsCoverAllOrientations() {
		final List<double[]> grid = PoseGrid.uniformRotations(30);
		// 4π/step² directions and 2π/step turns
		assertEquals(46 * 12, grid.size());
		final Random random = new Random(1);
		for (int i = 0; i < 300; i++) {
			final double[] q = random.doubles(4).map(v -> random.nextGaussian()).toArray();
			final double angle = nearest(q, grid);
			assertTrue(angle < 24, "nearest at " + angle);
		}
		for (final double[] q : grid) {
			assertEquals(1, dot(q, q), 1e-12);
			final double angle = nearest(q, grid.stream().filter(o -> o != q).toList());
			assertTrue(angle > 15, "nearest at " + angle);
		}
		assertEquals(6 * 4, PoseGrid.uniformRotations(90).size());
		refused("the step of the rotations is 1.9 degrees", () -> PoseGrid.uniformRotations(1.9));
		refused("the step of the rotations is 91.0 degrees", () -> PoseGrid.uniformRotations(91));
	}

	/** The angle of the rotation from one orientation to the nearest of others, in degrees. */
	private static double nearest(final double[] q, final List<double[]> others) {
		double most = 0;
		for (final double[] o : others) most = Math.max(most, Math.abs(dot(q, o)));
		return Math.toDegrees(2 * Math.acos(Math.min(1, most / Math.sqrt(dot(q, q)))));
	}

	private static double dot(final double[] a, final double[] b) {
		double sum = 0;
		for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
		return sum;
	}

	private static void refused(final String part, final Runnable call) {
		final String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
		assertTrue(message.contains(part), message);
	}
}
