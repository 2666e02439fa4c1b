package sc.fiji.ncc.command.imagej;

import ij.VirtualStack;
import ij.process.ByteProcessor;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;
import ij.process.ShortProcessor;

/** A virtual stack whose planes are read from an image when ImageJ shows or processes them. */
final class PlanesOnDemand extends VirtualStack {

	private final PlaneReader reader;
	private final int width, height, planes;

	PlanesOnDemand(final PlaneReader reader, final int width, final int height, final int planes) {
		super(width, height, null, "");
		this.reader = reader;
		this.width = width;
		this.height = height;
		this.planes = planes;
	}

	@Override
	public ImageProcessor getProcessor(final int n) {
		final Object pixels = getPixels(n);
		if (pixels instanceof byte[]) return new ByteProcessor(width, height, (byte[]) pixels, null);
		return pixels instanceof short[] ? new ShortProcessor(width, height, (short[]) pixels, null) : new FloatProcessor(width, height, (float[]) pixels, null);
	}

	@Override
	public Object getPixels(final int n) {
		if (n < 1 || n > planes) throw new IllegalArgumentException("plane " + n + " of " + planes);
		return reader.read(n - 1);
	}

	@Override
	public int getSize() {
		return planes;
	}

	@Override
	public int size() {
		return planes;
	}

	@Override
	public int getBitDepth() {
		return reader.bits();
	}

	@Override
	public String getSliceLabel(final int n) {
		return null;
	}

	@Override
	public void deleteSlice(final int n) {
		throw new UnsupportedOperationException("planes cannot be deleted from a corrected stack that is computed on demand: duplicate it first");
	}
}
