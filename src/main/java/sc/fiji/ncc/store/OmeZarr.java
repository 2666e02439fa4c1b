package sc.fiji.ncc.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/**
 * An image in a Zarr folder. Either an OME-Zarr image (metadata of version 0.1 to 0.5) at its finest resolution or at that of a given array. Or any other array;
 * the names or the number of its dimensions then determine their meaning.
 *
 * @param array the pixels
 * @param axes the dimensions, in the order of the files
 */
public record OmeZarr(ZarrArray array, List<OmeAxis> axes) {

	/** The meaning of one to five dimensions without metadata. */
	private static final String[] USUAL = { "x", "yx", "zyx", "czyx", "tczyx" };

	/** Whether a folder is a Zarr folder. */
	public static boolean is(final Path folder) {
		return Files.isDirectory(folder) && ZarrMetadata.isZarr(folder);
	}

	/**
	 * @param name the name of the image, for messages
	 * @throws IOException if the folder has no image of a supported kind; the message gives the reason
	 */
	public static OmeZarr open(final String name, final Path folder) throws IOException {
		try {
			if (!ZarrMetadata.isArray(folder)) return open(name, folder, null);
			final Path group = folder.toAbsolutePath().getParent();
			// a resolution of an image: the metadata are in the parent folder
			if (group != null && is(group) && dataset(multiscale(group), folder.getFileName().toString()) != null)
				return open(name, group, folder.getFileName().toString());
			return plain(ZarrArray.open(name, folder));
		}
		catch (final RuntimeException e) {
			throw new InputDataException("its OME metadata are damaged", e);
		}
	}

	/** @param path the path of the resolution; null for the first, which is the finest */
	private static OmeZarr open(final String name, final Path group, final String path) throws IOException {
		final JsonObject multiscale = multiscale(group);
		if (multiscale == null) throw new InputDataException("it is a group without an image (OME's multiscales): give an array in it" + children(group));
		final JsonObject dataset = path == null ? first(multiscale) : dataset(multiscale, path);
		final ZarrArray array = ZarrArray.open(name, group.resolve(Json.text(dataset, "path")));
		final int n = array.shape().length;
		final double[] scale = new double[n], translation = new double[n];
		Arrays.fill(scale, 1);
		transform(dataset, scale, translation);
		transform(multiscale, scale, translation);
		final JsonElement said = multiscale.get("axes");
		if (said != null && Json.list(said, "axes").size() != n)
			throw new InputDataException("its OME metadata name " + said.getAsJsonArray().size() + " axes, and its array has " + n + " dimensions");
		final List<OmeAxis> axes = new ArrayList<>();
		for (int d = 0; d < n; d++) {
			if (said == null) axes.add(new OmeAxis(usual(n, d), null, scale[d], translation[d]));
			else {
				final JsonElement axis = said.getAsJsonArray().get(d);
				// in version 0.3 an axis is only a name
				final boolean plain = axis.isJsonPrimitive();
				axes.add(new OmeAxis((plain ? axis.getAsString() : Json.text(Json.object(axis, "an axis"), "name")).toLowerCase(Locale.ROOT),
					plain ? null : ZarrMetadata.text(axis.getAsJsonObject(), "unit", null), scale[d], translation[d]));
			}
		}
		return new OmeZarr(array, axes);
	}

	private static String children(final Path group) throws IOException {
		try (var all = Files.list(group)) {
			final List<String> names = all.filter(OmeZarr::is).limit(8).map(p -> p.getFileName().toString()).sorted().toList();
			return names.isEmpty() ? "" : ", as " + group.getFileName() + "/" + names.get(0);
		}
	}

	private static JsonObject multiscale(final Path group) throws IOException {
		final JsonObject attributes = ZarrMetadata.attributes(group);
		final JsonElement all = attributes.has("ome") ? ZarrMetadata.child(attributes, "ome").get("multiscales") : attributes.get("multiscales");
		return all != null && all.isJsonArray() && !all.getAsJsonArray().isEmpty() ? Json.object(all.getAsJsonArray().get(0), "multiscales") : null;
	}

	private static JsonObject first(final JsonObject multiscale) throws InputDataException {
		final JsonArray datasets = Json.list(multiscale, "datasets");
		if (datasets.isEmpty()) throw new InputDataException("its metadata are damaged: 'datasets' is empty");
		return Json.object(datasets.get(0), "a dataset");
	}

	private static JsonObject dataset(final JsonObject multiscale, final String path) throws InputDataException {
		if (multiscale != null)
			for (final JsonElement d : Json.list(multiscale, "datasets"))
				if (path.equals(Json.text(Json.object(d, "a dataset"), "path"))) return d.getAsJsonObject();
		return null;
	}

	/** Applies the transformations of an object to the axes. */
	private static void transform(final JsonObject of, final double[] scale, final double[] translation) throws InputDataException {
		final JsonElement all = of.get("coordinateTransformations");
		if (all == null || !all.isJsonArray()) return;
		for (final JsonElement t : all.getAsJsonArray()) {
			final JsonArray factors = numbers(t, "scale", scale.length), shifts = numbers(t, "translation", scale.length);
			for (int d = 0; d < scale.length; d++) {
				if (factors != null) {
					scale[d] *= Json.number(factors.get(d), "scale");
					translation[d] *= Json.number(factors.get(d), "scale");
				}
				if (shifts != null) translation[d] += Json.number(shifts.get(d), "translation");
			}
		}
	}

	/** Null if the transformation has no such list. */
	private static JsonArray numbers(final JsonElement transformation, final String key, final int n) throws InputDataException {
		final JsonObject of = Json.object(transformation, "a transformation");
		if (!of.has(key)) return null;
		final JsonArray list = Json.list(of, key);
		if (list.size() != n) throw new InputDataException("its OME metadata are damaged: '" + key + "' has " + list.size() + " numbers, and its array " + n + " dimensions");
		return list;
	}

	private static OmeZarr plain(final ZarrArray array) {
		final int n = array.shape().length;
		final List<OmeAxis> axes = new ArrayList<>();
		for (int d = 0; d < n; d++) axes.add(new OmeAxis(array.names().size() == n ? array.names().get(d) : usual(n, d), null, 1, 0));
		return new OmeZarr(array, axes);
	}

	private static String usual(final int n, final int d) {
		return n > USUAL.length ? "dimension " + d : USUAL[n - 1].substring(d, d + 1);
	}

	/**
	 * The metadata of an image's group, for writing. The arrays are in the folders {@code 0}, {@code 1}, …
	 *
	 * @param levels the axes of each resolution, the finest first
	 */
	static JsonObject group(final int version, final String name, final List<List<OmeAxis>> levels) {
		final JsonArray described = new JsonArray(), datasets = new JsonArray(), multiscales = new JsonArray();
		for (final OmeAxis a : levels.get(0)) {
			final JsonObject axis = new JsonObject();
			axis.addProperty("name", a.name());
			axis.addProperty("type", a.type());
			if (a.unit() != null) axis.addProperty("unit", a.unit());
			described.add(axis);
		}
		for (int level = 0; level < levels.size(); level++) {
			final JsonArray scale = new JsonArray(), translation = new JsonArray(), transformations = new JsonArray();
			for (final OmeAxis a : levels.get(level)) {
				scale.add(a.scale());
				translation.add(a.translation());
			}
			transformations.add(transformation("scale", scale));
			transformations.add(transformation("translation", translation));
			final JsonObject dataset = new JsonObject();
			dataset.addProperty("path", Integer.toString(level));
			dataset.add("coordinateTransformations", transformations);
			datasets.add(dataset);
		}
		final JsonObject multiscale = new JsonObject();
		if (version == 2) multiscale.addProperty("version", "0.4");
		multiscale.addProperty("name", name);
		multiscale.add("axes", described);
		multiscale.add("datasets", datasets);
		multiscales.add(multiscale);
		final JsonObject attributes = new JsonObject(), ome = version == 2 ? attributes : new JsonObject();
		if (version != 2) {
			ome.addProperty("version", "0.5");
			attributes.add("ome", ome);
		}
		ome.add("multiscales", multiscales);
		return attributes;
	}

	private static JsonObject transformation(final String type, final JsonArray values) {
		final JsonObject t = new JsonObject();
		t.addProperty("type", type);
		t.add(type, values);
		return t;
	}
}
