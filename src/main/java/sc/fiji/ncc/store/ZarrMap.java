package sc.fiji.ncc.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * A map, or another image that is written once, as an OME-Zarr image with one resolution, or with several after {@link #pyramid}. Chunks
 * have no compression. Maps are floats of 32 or 64 bits, or quantized responses. Their metadata then have the attributes {@code scale_factor} and
 * {@code add_offset}: a pixel times the one plus the other is the response, and 0 stands for NaN. They are those of packed data in the CF conventions.
 * <p>
 * Until {@link #commit} the map is in a folder with {@code .part} appended to its name. This folder is not a Zarr array yet, because its metadata are written last. A
 * chunk is complete or absent. A chunk that a crash of the machine has truncated is detected by its length. After an interrupted run, a run with the same
 * layout and identity continues with the existing chunks. A run with another layout or identity deletes them. A lock prevents two programs from writing one map.
 */
public final class ZarrMap extends ZarrChunks implements AutoCloseable {

	/** The file with the identity, and other names. */
	private static final String IDENTITY = "identity.txt", LOCK = "lock", ARRAY = "0", PART = ".part", OLD = ".old", SHARED = "shared";
	/** The attribute that marks the maps of this class. Only such a map is ever replaced. */
	private static final String MARK = "written_by", PROGRAM = "ncc";

	/**
	 * The layout of a map in the files.
	 *
	 * @param size the size of the map, x first
	 * @param type the type of the pixels
	 * @param quantized whether pixels of 16 or 8 bits are quantized responses
	 * @param chunk the size of a chunk, x first
	 * @param axes the axes, in the order of the files
	 * @param dimensions for each axis the dimension of the map; -1 for an axis of extent 1 that the map does not have
	 * @param version the version of Zarr, 2 or 3
	 */
	public record Layout(long[] size, PixelType type, boolean quantized, int[] chunk, List<OmeAxis> axes, int[] dimensions, int version) {

		public Layout {
			if (version != 2 && version != 3) throw new IllegalArgumentException("Zarr has no version " + version
				+ ": 2 and 3 are written");
			int last = Integer.MAX_VALUE;
			long bytes = type.bytes;
			for (final int c : chunk) bytes = Math.multiplyExact(bytes, c);
			if (bytes > Integer.MAX_VALUE - 16) throw new IllegalArgumentException("a chunk of " + bytes
				+ " bytes is too large: use smaller chunks");
			for (final int d : dimensions) {
				// the responses of a chunk are written without changing their order
				if (d >= 0 && chunk[d] > 1 && d > last)
					throw new IllegalArgumentException("the axes of a chunk must have the order of the map, the last one first");
				if (d >= 0 && chunk[d] > 1) last = d;
			}
		}

		/** The precision of a map. */
		public Precision precision() {
			return type == PixelType.F64 ? Precision.DOUBLE : Precision.SINGLE;
		}

		/** The type of the responses of a map. */
		public ResponseType responseType() {
			return quantized ? ResponseType.of(type) : ResponseType.FLOAT;
		}

		/** The bytes of all chunks. The last chunks along a dimension are as large as the others. */
		public double bytes() {
			double bytes = type.bytes;
			for (int d = 0; d < size.length; d++) bytes *= (double) ((size[d] + chunk[d] - 1) / chunk[d]) * chunk[d];
			return bytes;
		}

		/** The layout of the next resolution: half as many pixels along x and y. */
		Layout half() {
			final long[] half = size.clone();
			final int[] smaller = chunk.clone();
			final List<OmeAxis> scaled = new ArrayList<>(axes);
			for (int d = 0; d < 2; d++) {
				half[d] = (size[d] + 1) / 2;
				smaller[d] = (int) Math.min(chunk[d], half[d]);
			}
			for (int a = 0; a < dimensions.length; a++) if (dimensions[a] == 0 || dimensions[a] == 1) {
				final OmeAxis axis = axes.get(a);
				scaled.set(a, new OmeAxis(axis.name(), axis.unit(), 2 * axis.scale(), axis.translation() + axis.scale() / 2));
			}
			return new Layout(half, type, quantized, smaller, List.copyOf(scaled), dimensions, version);
		}

		/** The file of a chunk. */
		Path file(final Path part, final long[] min) {
			return file(part, ARRAY, min);
		}

		/** The file of a chunk of an array. */
		Path file(final Path part, final String array, final long[] min) {
			Path file = part.resolve(array);
			if (version == 3) file = file.resolve("c");
			for (final int d : dimensions) file = file.resolve(Long.toString(d < 0 ? 0 : min[d] / chunk[d]));
			return file;
		}

		private String text() {
			return Arrays.toString(size) + " " + type + (quantized ? " quantized " : " ") + Arrays.toString(chunk) + " " + axes + " "
				+ Arrays.toString(dimensions) + " " + version;
		}
	}

	/** The unfinished folders that this process writes. Their locks end if the process closes another channel of the same file. */
	private static final Set<Path> WRITTEN = ConcurrentHashMap.newKeySet();

	private final Path place;
	private final String identity;
	/** The layouts of all resolutions, the finest first. */
	private final List<Layout> levels = new ArrayList<>();
	private final boolean resumed;
	/** The folder in {@link #WRITTEN}. */
	private Path written;
	private FileChannel lock;

	/**
	 * Opens a map for writing.
	 *
	 * @param place the path of the finished map, in an existing folder
	 * @param identity a text that is equal for two runs with equal responses, apart from the layout
	 * @throws IllegalArgumentException if another program is writing the map, or {@link #requireFree} refuses the path
	 * @throws IOException if the folder cannot be written to
	 */
	public ZarrMap(final Path place, final Layout layout, final String identity) throws IOException {
		super(created(place), layout, (Path) null);
		this.place = place;
		levels.add(layout);
		this.identity = text(layout, identity);
		lock();
		try {
			final boolean same = sameIdentity(part, this.identity);
			if (!same) begin();
			resumed = same && Files.exists(part.resolve(ARRAY));
		}
		catch (final IOException | RuntimeException | Error e) {
			close();
			throw e;
		}
	}

	private static Path created(final Path place) throws IOException {
		requireFree(place);
		return Files.createDirectories(part(place));
	}

	/**
	 * Checks that the path is free, or a map of an earlier run.
	 *
	 * @throws IllegalArgumentException if it is another file or folder
	 */
	public static void requireFree(final Path place) {
		if (!Files.exists(place)) return;
		try {
			if (Files.isDirectory(place) && PROGRAM.equals(ZarrMetadata.text(ZarrMetadata.attributes(place), MARK, ""))) return;
		}
		catch (final IOException | RuntimeException e) {
			throw new IllegalArgumentException(place + " exists and is not a map of this program (" + e.getMessage()
				+ "): remove it, or name another output", e);
		}
		throw new IllegalArgumentException(place + " exists and is not a map of this program: remove it, or name another output");
	}

	private void lock() throws IOException {
		written = part.toRealPath();
		boolean mine = false;
		if (WRITTEN.add(written)) try {
			lock = FileChannel.open(written.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
			mine = lock.tryLock() != null;
		}
		finally {
			if (!mine) release();
		}
		if (!mine) throw new IllegalArgumentException("another program is writing " + place + ": wait for it, or name another output");
	}

	private void release() throws IOException {
		try {
			if (lock != null) lock.close();
		}
		finally {
			WRITTEN.remove(written);
		}
	}

	/** The folder of an unfinished map. */
	static Path part(final Path place) {
		return place.resolveSibling(place.getFileName() + PART);
	}

	/** The folder for the temporary files of {@link ZarrChunks}. A late process of an earlier run with another identity finds its folder missing. */
	static Path shared(final Path part, final Layout layout, final String identity) {
		return shared(part, text(layout, identity));
	}

	private static Path shared(final Path part, final String identity) {
		return part.resolve(SHARED + "-" + UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8)));
	}

	private void deleteShared() throws IOException {
		try (DirectoryStream<Path> folders = Files.newDirectoryStream(part, SHARED + "-*")) {
			for (final Path folder : folders) delete(folder);
		}
	}

	/** Whether a folder has the chunks of this map. */
	static boolean hasIdentity(final Path part, final Layout layout, final String identity) throws IOException {
		return sameIdentity(part, text(layout, identity));
	}

	private static String text(final Layout layout, final String identity) {
		return layout.text() + "\n" + identity + "\n";
	}

	private static boolean sameIdentity(final Path part, final String identity) throws IOException {
		try {
			return Files.readString(part.resolve(IDENTITY)).equals(identity);
		}
		catch (final NoSuchFileException e) {
			return false;
		}
	}

	private void begin() throws IOException {
		Files.deleteIfExists(part.resolve(IDENTITY));
		deleteShared();
		delete(part.resolve(ARRAY));
		// only after the chunks of the other map are deleted: if the program is killed in between, they must not count as chunks of this map
		write(part.resolve(IDENTITY), identity);
	}

	/** Lets other processes write chunks, see {@link ZarrChunks}. */
	public void share() throws IOException {
		Files.createDirectories(shared(part, identity));
	}

	/** Whether this run continues an earlier one. */
	public boolean resumed() {
		return resumed;
	}

	/** Whether at least one chunk exists. */
	public boolean begun() {
		return Files.exists(part.resolve(ARRAY));
	}

	/** The folder of the unfinished map. */
	public Path unfinished() {
		return part;
	}

	@Override
	public boolean has(final long[] min) {
		return resumed && super.has(min);
	}

	/**
	 * Writes the lower resolutions, each with half as many pixels along x and y as the one before, until a chunk holds a plane. Their pixels
	 * are the means of up to four pixels; those that are not finite do not count. All chunks of the finest resolution must be there.
	 */
	public void pyramid(final Parallel parallel) throws IOException {
		for (int level = 1; levels.get(level - 1).size()[0] > layout.chunk()[0]
			|| levels.get(level - 1).size()[1] > layout.chunk()[1]; level++) {
			final Layout from = levels.get(level - 1), to = from.half();
			final String source = Integer.toString(level - 1), name = Integer.toString(level);
			levels.add(to);
			final ChunkWriter writer = new ChunkWriter(part, to.chunk(), to.type().bytes, null);
			final List<long[]> all = new ArrayList<>();
			for (long[] min = new long[to.size().length]; min != null; min = next(min, to)) all.add(min);
			parallel.each(all.size(), i -> {
				try {
					halve(from, source, to, all.get(i), writer, name);
				}
				catch (final IOException e) {
					throw new UncheckedIOException(e);
				}
			});
		}
	}

	/** The first pixel of the next chunk; null after the last one. */
	private static long[] next(final long[] min, final Layout layout) {
		final long[] next = min.clone();
		for (int d = 0; d < next.length; d++) {
			next[d] += layout.chunk()[d];
			if (next[d] < layout.size()[d]) return next;
			next[d] = 0;
		}
		return null;
	}

	/** Writes a chunk of a resolution from the chunks of the one before. */
	private void halve(final Layout from, final String source, final Layout to, final long[] min, final ChunkWriter writer,
		final String name) throws IOException {
		final int[] part = new int[min.length];
		int pixels = 1;
		for (int d = 0; d < part.length; d++) pixels *= part[d] = (int) Math.min(to.chunk()[d], to.size()[d] - min[d]);
		final double[] sum = new double[pixels];
		final int[] count = new int[pixels];
		final int width = from.chunk()[0], height = from.chunk()[1], beyond = pixels / (part[0] * part[1]), area = width * height;
		final long[] at = min.clone();
		for (at[1] = 2 * min[1] / height * height; at[1] < Math.min(from.size()[1], 2 * (min[1] + part[1])); at[1] += height)
			for (at[0] = 2 * min[0] / width * width; at[0] < Math.min(from.size()[0], 2 * (min[0] + part[0])); at[0] += width) {
				final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(from.file(this.part, source, at)))
					.order(ByteOrder.LITTLE_ENDIAN);
				final Buffer values = Buffers.view(bytes, from.type());
				final int left = (int) Math.max(at[0], 2 * min[0]),
					right = (int) Math.min(Math.min(at[0] + width, from.size()[0]), 2 * (min[0] + part[0]));
				final int top = (int) Math.max(at[1], 2 * min[1]),
					bottom = (int) Math.min(Math.min(at[1] + height, from.size()[1]), 2 * (min[1] + part[1]));
				for (int k = 0; k < beyond; k++) for (int y = top; y < bottom; y++) for (int x = left; x < right; x++) {
					final double v = Buffers.value(values, from.type().min == 0, (int) (k * area + (y - at[1]) * width + x - at[0]));
					final int i = (int) ((k * part[1] + y / 2 - min[1]) * part[0] + x / 2 - min[0]);
					if (!Double.isFinite(v)) continue;
					sum[i] += v;
					count[i]++;
				}
			}
		for (int i = 0; i < pixels; i++) sum[i] = count[i] > 0 ? sum[i] / count[i] : Double.NaN;
		final Buffer result = to.type().allocate(pixels);
		Buffers.narrow(sum, to.type(), result.array(), 0);
		writer.write(to.file(this.part, name, min), part, result);
	}

	/** Writes a file so that it is complete or absent. */
	private static void write(final Path file, final String text) throws IOException {
		final Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
		Files.createDirectories(file.getParent());
		Files.writeString(temporary, text);
		Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
	}

	/** Writes the metadata and moves the map to its final name. An older map is replaced. */
	public void commit() throws IOException {
		// processes that were lost leave files in it, and a process that is late must not write any more
		deleteShared();
		metadata();
		unlock();
		final Path old = place.resolveSibling(place.getFileName() + OLD);
		if (Files.exists(place)) {
			requireFree(place);
			delete(old);
			Files.move(place, old, StandardCopyOption.ATOMIC_MOVE);
		}
		Files.move(part, place, StandardCopyOption.ATOMIC_MOVE);
		Files.deleteIfExists(place.resolve(IDENTITY));
		delete(old);
	}

	private void metadata() throws IOException {
		final String name = place.getFileName().toString();
		final JsonObject attributes = OmeZarr.group(layout.version(), name.endsWith(".zarr") ? name.substring(0, name.length() - 5) : name,
			levels.stream().map(Layout::axes).toList());
		attributes.addProperty(MARK, PROGRAM);
		for (int level = 0; level < levels.size(); level++) array(levels.get(level), part.resolve(Integer.toString(level)));
		if (layout.version() == 2) {
			final JsonObject group = new JsonObject();
			group.addProperty("zarr_format", 2);
			json(part.resolve(ZarrMetadata.ATTRIBUTES), attributes);
			json(part.resolve(ZarrMetadata.GROUP), group);
			return;
		}
		final JsonObject group = node("group");
		group.add("attributes", attributes);
		json(part.resolve(ZarrMetadata.V3), group);
	}

	/** Writes the metadata of an array. */
	private static void array(final Layout layout, final Path folder) throws IOException {
		final int n = layout.axes().size();
		final JsonArray shape = new JsonArray(), chunk = new JsonArray(), names = new JsonArray();
		for (int a = 0; a < n; a++) {
			final int d = layout.dimensions()[a];
			shape.add(d < 0 ? 1 : layout.size()[d]);
			chunk.add(d < 0 ? 1 : layout.chunk()[d]);
			names.add(layout.axes().get(a).name());
		}
		if (layout.version() == 2) {
			final JsonObject array = new JsonObject();
			array.addProperty("zarr_format", 2);
			array.add("shape", shape);
			array.add("chunks", chunk);
			array.addProperty("dtype", ZarrMetadata.name(layout.type(), 2));
			array.add("compressor", JsonNull.INSTANCE);
			array.addProperty("fill_value", layout.type().integer ? (Number) 0 : (Number) 0.0);
			array.addProperty("order", "C");
			array.add("filters", JsonNull.INSTANCE);
			array.addProperty("dimension_separator", "/");
			json(folder.resolve(ZarrMetadata.ARRAY), array);
			if (layout.quantized()) json(folder.resolve(ZarrMetadata.ATTRIBUTES), packing(layout.responseType()));
			return;
		}
		final JsonObject array = node("array");
		array.add("shape", shape);
		array.addProperty("data_type", ZarrMetadata.name(layout.type(), 3));
		array.add("chunk_grid", named("regular", "chunk_shape", chunk));
		array.add("chunk_key_encoding", named("default", "separator", "/"));
		array.addProperty("fill_value", layout.type().integer ? (Number) 0 : (Number) 0.0);
		final JsonArray codecs = new JsonArray();
		codecs.add(named("bytes", "endian", "little"));
		array.add("codecs", codecs);
		array.add("dimension_names", names);
		array.add("attributes", layout.quantized() ? packing(layout.responseType()) : new JsonObject());
		json(folder.resolve(ZarrMetadata.V3), array);
	}

	/** The attributes of packed data in the CF conventions. */
	private static JsonObject packing(final ResponseType type) {
		final JsonObject o = new JsonObject();
		o.addProperty("scale_factor", type.scale());
		o.addProperty("add_offset", type.offset());
		o.addProperty("_FillValue", 0);
		return o;
	}

	private static JsonObject node(final String type) {
		final JsonObject o = new JsonObject();
		o.addProperty("zarr_format", 3);
		o.addProperty("node_type", type);
		return o;
	}

	private static JsonObject named(final String name, final String key, final Object value) {
		final JsonObject o = new JsonObject(), configuration = new JsonObject();
		if (value instanceof JsonArray) configuration.add(key, (JsonArray) value);
		else configuration.addProperty(key, (String) value);
		o.addProperty("name", name);
		o.add("configuration", configuration);
		return o;
	}

	private static void json(final Path file, final JsonObject o) throws IOException {
		write(file, new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create().toJson(o));
	}

	/** Closes the map and deletes the unfinished folder. */
	public void discard() throws IOException {
		unlock();
		delete(part);
	}

	private void unlock() throws IOException {
		if (!lock.isOpen()) return;
		release();
		Files.deleteIfExists(part.resolve(LOCK));
	}

	/** Closes the map. Keeps an unfinished folder for a later run, unless it is empty. */
	@Override
	public void close() throws IOException {
		if (!lock.isOpen()) return;
		if (!Files.exists(part.resolve(ARRAY))) discard();
		else unlock();
	}

	private static void delete(final Path folder) throws IOException {
		if (!Files.exists(folder)) return;
		try (var all = Files.walk(folder)) {
			for (final Path p : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(p);
		}
	}
}
