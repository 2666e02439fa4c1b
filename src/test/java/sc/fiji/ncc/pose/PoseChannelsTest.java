package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.ARGBType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.BestPoses;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;

/** Poses of templates with several channels, which give one joint score. */
class PoseChannelsTest {

	private static final int RADIUS = 7;

	private static DoubleBinaryOperator object(final long seed, final int channel) {
		return PoseImages.object(10 * seed + channel, RADIUS);
	}

	/** An image of objects in noise, each channel on a level of its own. */
	private static JointImage image(final long seed, final int channels, final int w, final int h, final double noise, final Pose... poses) {
		final List<RandomAccessibleInterval<?>> all = new ArrayList<>();
		for (int c = 0; c < channels; c++) {
			final ArrayImg<FloatType, ?> one = PoseImages.noise(100 * seed + c, w, h, noise);
			final SplittableRandom random = new SplittableRandom(seed);
			for (final Pose p : poses) PoseImages.add(one, object(seed, c), RADIUS + 2 + random.nextDouble() * (w - 2 * RADIUS - 4),
				RADIUS + 2 + random.nextDouble() * (h - 2 * RADIUS - 4), 1.5 * RADIUS, p);
			for (final FloatType p : one) p.set(p.get() * (1 + c) + 300 * c);
			all.add(one);
		}
		return JointImage.of(all);
	}

	private static JointImage template(final long seed, final int channels, final int side) {
		final List<RandomAccessibleInterval<?>> all = new ArrayList<>();
		for (int c = 0; c < channels; c++) {
			final RandomAccessibleInterval<FloatType> one = PoseImages.template(object(seed, c), side, side);
			for (final FloatType p : Views.iterable(one)) p.set(p.get() * (1 + c) - 20 * c);
			all.add(one);
		}
		return JointImage.of(all);
	}

	private static String place(final int template, final List<Long> position, final Pose pose) {
		return template + " " + position + " " + pose;
	}

	private static List<String> places(final List<PoseMatch> matches) {
		return matches.stream().map(m -> place(m.template(), Arrays.stream(m.position()).boxed().toList(), m.gridPose())).toList();
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6 })
	void findsWhatTheDefinitionFinds(final long seed) {
		final int channels = 2 + (int) seed % 2;
		final JointImage image = image(seed, channels, 58, 49, seed % 2 == 0 ? 0.3 : 0.02, Pose.of(20, 1, false), Pose.of(111, 0.9, false), Pose.of(230, 1.2, true));
		final List<RandomAccessibleInterval<?>> templates = List.of(template(seed, channels, 2 * RADIUS + 1), template(seed, channels, 2 * RADIUS - 2));
		final List<Template> read = templates.stream().map(t -> TemplateReader.read(t, null, false)).toList();
		final PoseGrid grid = PoseGrid.DEFAULT.angles(PoseGrid.angleRange(0, 360, 10)).scales(PoseGrid.scaleRange(0.9, 1.2, 1.15)).mirrored(seed == 4);
		final double minScore = 0.3 + 0.08 * seed;
		final List<PoseOracle.Found> expected = PoseOracle.find(image, read, grid.poses(read), minScore, 0.5);
		assertTrue(!expected.isEmpty());
		for (final String id : List.of("auto", "cpu-bounded", "cpu-every-pose")) {
			final List<PoseMatch> found = PoseSearch.of(templates).poses(grid).minScore(minScore).refine(false).algorithm(id).find(image).matches();
			assertEquals(expected.stream().map(f -> place(f.template(), f.position(), f.pose())).toList(), places(found), id);
			for (int i = 0; i < found.size(); i++) assertEquals(expected.get(i).score(), found.get(i).score(), 1e-9);
		}
	}

	@ParameterizedTest
	@EnumSource(PoseSupport.class)
	void theBestPosesAreThoseOfTheDefinition(final PoseSupport support) {
		final JointImage image = image(9, 3, 44, 41, 0.2, Pose.of(33, 1, false), Pose.of(250, 1, false)), template = template(9, 3, 2 * RADIUS + 1);
		final List<Template> read = List.of(TemplateReader.read(template, null, false));
		final PoseGrid grid = PoseGrid.DEFAULT.angles(PoseGrid.angleRange(0, 360, 15));
		final PoseSet set = PoseSet.of(read, grid.poses(read), support, 0.5);
		final PoseOracle.Best expected = PoseOracle.best(image, set, 0);
		for (final String id : support == PoseSupport.WHOLE ? List.of("auto", "cpu-every-pose") : List.of("cpu-bounded", "cpu-every-pose")) {
			final BestPoses best = PoseSearch.of(template).poses(grid).support(support).minScore(0.3).algorithm(id).bestPoses(image);
			final RandomAccess<FloatType> at = best.score().randomAccess();
			int defined = 0;
			for (int y = 0; y < best.score().dimension(1); y++)
				for (int x = 0; x < best.score().dimension(0); x++) {
					final double score = expected.score()[(int) (y + best.origin()[1]) + PoseOracle.Best.EDGE][(int) (x + best.origin()[0]) + PoseOracle.Best.EDGE];
					final float found = at.setPositionAndGet(x, y).get();
					if (score > 0.3001) assertEquals(score, found, 1.1e-5, support + " " + id + " " + x + ", " + y);
					if (score < 0.2999) assertTrue(Float.isNaN(found), support + " " + id + " " + x + ", " + y);
					if (!Float.isNaN(found)) defined++;
				}
			assertTrue(defined > 10, "defined: " + defined);
		}
	}

	/** A template with two channels alike has the scores of one channel. */
	@Test
	void equalChannelsAreOneChannel() {
		final RandomAccessibleInterval<?> image = JointImage.channelsOf(image(5, 1, 60, 50, 0.3, Pose.of(50, 1, false))).get(0), t = JointImage.channelsOf(template(5, 1, 15)).get(0);
		final PoseSearch one = PoseSearch.of(t).angleRange(0, 360, 8).minScore(0.4);
		final List<PoseMatch> expected = one.find(image).matches();
		final List<PoseMatch> found = PoseSearch.of(JointImage.of(List.of(t, t))).angleRange(0, 360, 8).minScore(0.4)
			.find(JointImage.of(List.of(image, image))).matches();
		assertEquals(places(expected), places(found));
		for (int i = 0; i < found.size(); i++) {
			assertArrayEquals(expected.get(i).subpixel(), found.get(i).subpixel(), 1e-6);
			// the maximum of the score over the pixels of the search lies beside the refined pose
			assertEquals(expected.get(i).score(), found.get(i).score(), 1e-7);
		}
	}

	/** A GPU correlates the basis. */
	@Test
	@Tag("gpu")
	void aGpuFindsWhatTheCpuFinds() {
		RequiredGpu.require();
		final JointImage image = image(3, 3, 90, 70, 0.2, Pose.of(33, 1, false), Pose.of(250, 1, false));
		final PoseSearch search = PoseSearch.of(template(3, 3, 15)).angleRange(0, 360, 8).minScore(0.4);
		final List<PoseMatch> expected = search.backend("cpu").find(image).matches(),
			found = search.backend("cuda").algorithm("cuda-bounded-host").find(image).matches();
		assertTrue(expected.size() >= 2, expected.size() + " matches");
		assertEquals(expected.toString(), found.toString());
	}

	/** Colours, in a stack, inside a box: channels, frames and boxes go together. The pose is refined with all channels. */
	@Test
	void coloursAreFoundInStacksAndBoxes() {
		final Pose pose = Pose.of(71.4, 1.04, false);
		final JointImage objects = image(7, 3, 70, 60, 0.001, pose);
		final ArrayImg<ARGBType, ?> colours = ArrayImgs.argbs(70, 60), other = ArrayImgs.argbs(70, 60), t = ArrayImgs.argbs(15, 15);
		copy(objects, colours);
		copy(template(7, 3, 15), t);
		final PoseSearch search = PoseSearch.of(t).angleRange(0, 360, 5).scaleRange(0.9, 1.2, 1.07).minScore(0.8);
		final PoseMatch alone = search.find(colours).matches().get(0);
		assertEquals(0, Math.IEEEremainder(alone.pose().angle() - pose.angle(), 360), 0.3);
		assertEquals(pose.scale(), alone.pose().scale(), 0.005);
		final List<PoseMatch> stack = search.find(Views.stack(other, colours)).matches();
		assertEquals(alone.in(new long[] { 1 }).toString(), stack.get(0).toString());
		final long x = alone.position()[0], y = alone.position()[1];
		final List<PoseMatch> inside = search.inside(new FinalInterval(new long[] { Math.max(0, x - 5), Math.max(0, y - 5) }, new long[] { Math.min(69, x + 20), Math.min(59, y + 20) })).find(colours).matches();
		assertEquals(alone.toString(), inside.get(0).toString());
	}

	/** Channels 0, 1, 2 as red, green and blue: 10 times the contrast about 128. */
	private static void copy(final JointImage from, final ArrayImg<ARGBType, ?> to) {
		final double[] level = { 0, 0, 0 };
		for (int c = 0; c < 3; c++) level[c] = c * (from.dimension(0) > 20 ? 300 : -20);
		for (int y = 0; y < to.dimension(1); y++)
			for (int x = 0; x < to.dimension(0); x++) {
				int argb = 0xff;
				for (int c = 0; c < 3; c++) {
					final RandomAccess<?> a = from.channels().get(c).randomAccess();
					final double v = ((FloatType) a.setPositionAndGet(x, y)).get() - level[c];
					argb = argb << 8 | (int) Math.max(0, Math.min(255, Math.rint(128 + 20 * v)));
				}
				to.getAt(x, y).set(argb);
			}
	}
}
