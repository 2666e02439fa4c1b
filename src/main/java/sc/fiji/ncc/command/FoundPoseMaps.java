package sc.fiji.ncc.command;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.img.Img;
import net.imglib2.img.planar.PlanarImgFactory;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.IntervalIndexer;
import net.imglib2.view.Views;

import sc.fiji.ncc.command.input.OrientedImage;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.MapDescription;
import sc.fiji.ncc.front.MatchColumns;
import sc.fiji.ncc.front.Table;
import sc.fiji.ncc.result.BestPoses;
import sc.fiji.ncc.result.Pose;

/**
 * The maps of a search for poses of one template, as images of ImageJ: the best score of each position, and the number of its pose. The frames of the searched
 * image are those of the maps.
 */
final class FoundPoseMaps {

	private final List<BestPoses> frames;
	private final OrientedImage searched;

	/**
	 * @param all the maps of all templates and frames
	 * @param template the index of the template
	 * @param templates the number of templates
	 */
	FoundPoseMaps(final List<BestPoses> all, final int template, final int templates, final OrientedImage searched) {
		frames = IntStream.range(0, all.size()).filter(i -> i % templates == template).mapToObj(all::get).toList();
		this.searched = searched;
	}

	/** Opens both maps. Pose numbers are floats, because ImageJ has no 32-bit integers. Numbers up to 2^24 are exact. */
	void open(final NccCommand command, final ImageInput source, final String name) {
		open(command, frames.stream().map(BestPoses::score).toList(), source, "Scores of " + name, -1, 1);
		open(command, frames.stream().map(f -> Converters.convert((RandomAccessibleInterval<IntType>) f.pose(), (from, to) -> to.set(from.get()), new FloatType()))
			.toList(), source, "Poses of " + name, 0, frames.get(0).poses().size());
	}

	private void open(final NccCommand command, final List<? extends RandomAccessibleInterval<FloatType>> maps, final ImageInput source, final String title,
		final double min, final double max)
	{
		final long[] size = searched.pixels().dimensionsAsLongArray(), map = maps.get(0).dimensionsAsLongArray(),
			beyond = Arrays.copyOfRange(size, map.length, size.length);
		System.arraycopy(map, 0, size, 0, map.length);
		final Img<FloatType> all = new PlanarImgFactory<>(new FloatType()).create(size);
		final long[] place = new long[beyond.length];
		for (int f = 0; f < maps.size(); f++) {
			if (beyond.length > 0) IntervalIndexer.indexToPosition(f, beyond, place);
			RandomAccessibleInterval<FloatType> frame = all;
			for (int d = size.length - 1; d >= map.length; d--) frame = Views.hyperSlice(frame, d, place[d - map.length]);
			LoopBuilder.setImages(maps.get(f), frame).forEachPixel((from, to) -> to.set(from));
		}
		final long[] origin = Arrays.copyOf(frames.get(0).origin(), size.length);
		command.described(searched.back(all), new MapDescription(title, source, searched.back(origin), min, max, Map.of()));
	}

	/** The angle, scale and reflection of each pose. */
	Table table() {
		return MatchColumns.list(frames.get(0).poses()).table(FrontEnd.POSES);
	}
}
