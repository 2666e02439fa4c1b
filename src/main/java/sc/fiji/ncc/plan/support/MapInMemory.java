package sc.fiji.ncc.plan.support;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.function.Supplier;

import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;

/**
 * The maps of the responses of a frame in arrays: new ones, as a call makes them, each allocated with its first responses, or given ones.
 */
public final class MapInMemory implements Sink {

	private final float undefined;
	private final ResponseType type;
	private final int[] strides;
	private final Buffer[] maps;
	/** Allocates a map; null for given ones. */
	private final Supplier<Buffer> allocation;

	/** @param lags the size of a map; undefined responses are 0 */
	public MapInMemory(final Size lags, final int templates, final Precision precision, final ResponseType type) {
		this(0, type, lags.toIntArray(), new Buffer[templates], () -> type.allocate(precision, Math.toIntExact(lags.pixels())));
	}

	/**
	 * Maps in given arrays, in which undefined responses are NaN.
	 *
	 * @param size the size of a map
	 * @param maps one for each template, at least as long as a map
	 */
	public MapInMemory(final int[] size, final List<float[]> maps) {
		this(Float.NaN, ResponseType.FLOAT, size, maps.stream().map(FloatBuffer::wrap).toArray(Buffer[]::new), null);
	}

	private MapInMemory(final float undefined, final ResponseType type, final int[] size, final Buffer[] maps,
		final Supplier<Buffer> allocation) {
		this.undefined = undefined;
		this.type = type;
		this.maps = maps;
		this.allocation = allocation;
		strides = Boxes.strides(size);
	}

	@Override
	public float undefined() {
		return undefined;
	}

	@Override
	public ResponseType responseType() {
		return type;
	}

	@Override
	public Place place(final int template, final long[] min) {
		return type.quantized() ? null : new Place(map(template).array(), Boxes.index(strides, min), strides);
	}

	@Override
	public void map(final int template, final long[] min, final int[] box, final Buffer from) {
		final Buffer to = map(template);
		for (int row = 0; row < Boxes.rows(box); row++)
			Buffers.copy(from, from.position() + row * box[0], to, Boxes.row(strides, min, box, row), box[0]);
	}

	private Buffer map(final int template) {
		return allocation == null ? maps[template] : allocated(template);
	}

	private synchronized Buffer allocated(final int template) {
		if (maps[template] == null) maps[template] = allocation.get();
		return maps[template];
	}
}
