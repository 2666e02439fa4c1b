package sc.fiji.ncc.cli;

import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.map.MapFiles;
import sc.fiji.ncc.cli.map.MapWriter;
import sc.fiji.ncc.cli.output.MatchTable;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.drawing.Drawing;
import sc.fiji.ncc.drawing.MapDrawing;
import sc.fiji.ncc.drawing.MatchDrawing;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.Response;

/**
 * The demonstration: cuts one of 24 ancient coins out of the sample image and finds all of them. All coins differ. They share a bright disc of about this size
 * with an embossed head, so scores are about 0.5 to 0.7, which still separates coins from background.
 */
record Demo(PrintStream out) {

	/** The template: x, y, w, h of a coin, in pixels. */
	private static final WholeNumbers COIN = new WholeNumbers(274, 235, 56, 56);
	private static final int MAX_MATCHES = 40, MAGNIFICATION = 2;
	private static final double MIN_SCORE = 0.5, OVERLAP = 0.3;

	/**
	 * Runs the demonstration.
	 *
	 * @param folder the folder for correlation.tif, matches.csv and result.png; it is created if it does not exist
	 */
	void run(final Path folder) throws IOException {
		Files.createDirectories(folder);
		try (Outputs outputs = new Outputs()) {
			final Path tif = outputs.promise(folder.resolve("correlation.tif").toString(), List.of());
			final Path csv = outputs.promise(folder.resolve("matches.csv").toString(), List.of());
			final Path png = outputs.promise(folder.resolve("result.png").toString(), List.of());

			long start = System.nanoTime();
			final InputImage coins = ImageFiles.decode(SampleSubcommand.NAME, SampleSubcommand.open());
			final RandomAccessibleInterval<?> coin = coins.cut(COIN);
			final double reading = seconds(start);

			start = System.nanoTime();
			final NormalizedCrossCorrelation ncc = NormalizedCrossCorrelation.of(coin);
			final Response response = ncc.correlate(coins.pixels());
			final double correlating = seconds(start);

			start = System.nanoTime();
			final List<Match> matches = TemplateMatching.with(ncc).maxMatches(MAX_MATCHES).minScore(MIN_SCORE).maxOverlap(OVERLAP).find(coins.pixels()).matches();
			final double matching = seconds(start);

			start = System.nanoTime();
			new MapWriter(response.map().dimensionsAsLongArray(), coins.axes(), "correlation.tif", null, PixelType.F32, true)
				.write(response.map(), response.origin(), coins.calibration(), outputs, tif, null);
			outputs.text(csv, to -> {
				final MatchTable table = new MatchTable(List.of("roi " + COIN.toString().replace(',', ' ')), List.of(coin.dimensionsAsLongArray()), false);
				to.write(table.head() + table.rows(coins.name(), 0, coins.calibration(), matches));
			});
			outputs.bytes(png, to -> Drawing.png(picture(coins, coin, matches, response.map()), to));
			outputs.commit();
			final double writing = seconds(start);

			out.printf(Locale.ROOT, "%s is %s; the template is the coin at %s%n%n", coins.name(), coins.size(), COIN);
			out.println(response.ranking().explain());
			out.printf(Locale.ROOT, "%n%s%n%d matches with a score of at least %s%n%n", MapFiles.summary(response), matches.size(), MIN_SCORE);
			out.printf(Locale.ROOT, "read       %7.1f ms%ncorrelate  %7.1f ms%nmatch      %7.1f ms  (correlates again, finds the peaks, computes their exact scores)%nwrite      %7.1f ms%n%n",
				1e3 * reading, 1e3 * correlating, 1e3 * matching, 1e3 * writing);
			for (final Path path : List.of(tif, csv, png)) out.println("wrote " + folder.resolve(path.getFileName()));
		}
	}

	private static double seconds(final long since) {
		return (System.nanoTime() - since) / 1e9;
	}

	/** Draws the matches, and the map to the right of them. */
	private static BufferedImage picture(final InputImage image, final RandomAccessibleInterval<?> coin, final List<Match> matches,
		final RandomAccessibleInterval<FloatType> map)
	{
		final BufferedImage found = new MatchDrawing(frame -> image.frame(frame, coin.numDimensions()), List.of(coin.dimensionsAsLongArray())).draw(matches, 0);
		final BufferedImage colours = MapDrawing.draw(map, (int) image.pixels().dimension(0), (int) image.pixels().dimension(1), MAGNIFICATION);
		final BufferedImage scale = MapDrawing.scale(colours.getHeight());
		final int gap = 8;
		final BufferedImage all = new BufferedImage(found.getWidth() + gap + colours.getWidth() + scale.getWidth(), colours.getHeight(), BufferedImage.TYPE_INT_RGB);
		final Graphics2D g = all.createGraphics();
		try {
			g.drawImage(found, 0, 0, null);
			g.drawImage(colours, found.getWidth() + gap, 0, null);
			g.drawImage(scale, found.getWidth() + gap + colours.getWidth(), 0, null);
		}
		finally {
			g.dispose();
		}
		return all;
	}
}
