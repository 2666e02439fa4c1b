package sc.fiji.ncc.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

import picocli.CommandLine;

import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.ZarrImages;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.parts.MapParts;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.StoredResponse;
import sc.fiji.ncc.run.Parts;
import sc.fiji.ncc.store.OmeZarr;

/** The part of a process in a command that a {@link Cluster} computes. */
public final class ClusterTask {

	private ClusterTask() {}

	/**
	 * A command line for a process of the cluster.
	 *
	 * @param arguments the subcommand and its arguments
	 * @param folder the folder of relative file names
	 * @param threads the number of threads, if the arguments do not state it
	 * @param heap the heap that determines the sizes of boxes, in bytes
	 * @param identity the inputs and options of the run, one per line
	 */
	public record Command(List<String> arguments, String folder, int threads, long heap, String identity) implements Serializable {

		String resolve(final String file) {
			return file == null ? null : Path.of(folder).resolve(ImageFiles.path(file)).toString();
		}
	}

	/**
	 * Opens the parts of a command line, to compute some of them.
	 *
	 * @param kind what the command hands to its cluster, see {@link Cluster}
	 * @throws IllegalArgumentException if an input or an option differs from those of the process that began the run
	 */
	public static <P extends Parts> P open(final Command command, final Class<P> kind) throws IOException {
		final PrintStream silent = new PrintStream(OutputStream.nullOutputStream());
		final String name = command.arguments.get(0);
		final CommandLine line = Main.commandLine(name, new Terminal(silent, silent, false), null);
		line.parseArgs(command.arguments.toArray(String[]::new));
		return kind.cast(((Subcommand) line.getSubcommands().get(name).getCommandSpec().userObject()).parts(kind, command));
	}

	/**
	 * Computes all boxes of maps on a cluster, and closes the maps.
	 *
	 * @param shapes one for each map
	 */
	static StoredResponse respond(final Cluster cluster, final MapParts maps, final List<MapShape> shapes, final String identity) {
		final long start = System.nanoTime();
		try (MapParts parts = maps) {
			parts.fillBorders();
			final MapParts.Done done = cluster.maps(parts, identity);
			return new StoredResponse(shapes, done.report(), done.before(), parts.rankings(), 1e-9 * (System.nanoTime() - start));
		}
	}

	/** @throws IllegalArgumentException if a line is not in the identity of the run: an input or an option of this process differs */
	static void requireSame(final Command command, final List<String> lines) throws IOException {
		final Set<String> run = Set.copyOf(command.identity.lines().toList());
		for (final String line : lines)
			if (!run.contains(line)) throw new IllegalArgumentException("on " + InetAddress.getLocalHost().getHostName() + " an input or an option differs (" + line
				+ "): give files in a folder that all machines share, and the same version of the program");
	}

	/** @throws IllegalArgumentException if an image is not a Zarr folder, which processes can read in parts */
	static void requireZarr(final String image) {
		// the reader reports a missing file
		if (Files.exists(ImageFiles.path(image)) && !OmeZarr.is(ImageFiles.path(image)))
			throw new IllegalArgumentException("a cluster reads Zarr folders, and " + image + " is none: write it as OME-Zarr, or use ncc on one machine");
	}

	/** @throws IllegalArgumentException if a map is not a Zarr folder, which processes can write in parts */
	static void requireZarrMap(final String output) {
		if (!ZarrImages.isZarr(output))
			throw new IllegalArgumentException("a cluster writes Zarr folders, and " + output + " is none: give a name that ends in .zarr, or use ncc on one machine");
	}

	/** @throws IllegalArgumentException if an option is given that a cluster does not offer */
	static void requireAbsent(final String option, final boolean given) {
		if (given) throw new IllegalArgumentException(option + " is not offered on a cluster: leave it out, or use ncc on one machine");
	}
}
