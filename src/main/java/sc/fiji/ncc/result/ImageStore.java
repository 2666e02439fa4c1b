package sc.fiji.ncc.result;

import java.nio.Buffer;
import java.util.Arrays;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.cell.AbstractCellImg;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;

/**
 * A store that writes a map into an image.
 *
 * @param image an image of floats or doubles, or for quantized responses of unsigned numbers of 16 or 8 bits; its first pixel can be anywhere
 */
public record ImageStore(RandomAccessibleInterval<? extends RealType<?>> image) implements MapStore {

	/** The chunk's side for an image without cells: in up to two dimensions, and in more. */
	private static final int CHUNK = 512, CHUNK_3D = 64;

	public ImageStore {
		Given.nonNull(image, "image");
		final Object type = image.getType();
		if (!(type instanceof FloatType) && !(type instanceof DoubleType) && !responseType(type).quantized()) throw new IllegalArgumentException(
			"cannot write a map into an image of " + type.getClass().getSimpleName()
			+ ": pass an image of FloatType, for double precision of DoubleType, or for quantized responses of"
				+ " UnsignedShortType or UnsignedByteType");
	}

	private static ResponseType responseType(final Object pixel) {
		return pixel instanceof UnsignedShortType ? ResponseType.BITS_16 : pixel instanceof UnsignedByteType ? ResponseType.BITS_8 : ResponseType.FLOAT;
	}

	@Override
	public Precision precision() {
		return image.getType() instanceof DoubleType ? Precision.DOUBLE : Precision.SINGLE;
	}

	@Override
	public ResponseType responseType() {
		return responseType(image.getType());
	}

	@Override
	public long[] size() {
		return image.dimensionsAsLongArray();
	}

	@Override
	public int[] chunk() {
		final int[] chunk = new int[image.numDimensions()];
		if (image instanceof AbstractCellImg) ((AbstractCellImg<?, ?, ?, ?>) image).getCellGrid().cellDimensions(chunk);
		else Arrays.fill(chunk, chunk.length < 3 ? CHUNK : CHUNK_3D);
		return chunk;
	}

	@Override
	public void write(final long[] min, final int[] size, final Buffer responses) {
		final long[] from = new long[min.length], to = new long[min.length];
		for (int d = 0; d < min.length; d++) {
			from[d] = image.min(d) + min[d];
			to[d] = from[d] + size[d] - 1;
		}
		write(Views.flatIterable(Views.interval(image, from, to)).cursor(), responses);
	}

	private static void write(final Cursor<? extends RealType<?>> to, final Buffer responses) {
		for (int i = 0; to.hasNext(); i++) to.next().setReal(Buffers.value(responses, true, i));
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
