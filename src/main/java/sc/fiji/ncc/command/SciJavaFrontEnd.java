package sc.fiji.ncc.command;

import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.ARGBType;
import net.imglib2.type.numeric.real.FloatType;

import org.scijava.plugin.Plugin;
import org.scijava.service.AbstractService;
import org.scijava.service.Service;

/** Fiji, or any SciJava application: uses ImageJ2's images and ImageJ 1.x where they are present. */
@Plugin(type = Service.class)
public final class SciJavaFrontEnd extends AbstractService implements FrontEnd {

	@Override
	public String name(final Img<?> image) {
		return ImageJ2.name(image).orElse("image");
	}

	@Override
	public boolean isColor(final Img<?> image) {
		return image.getType() instanceof ARGBType || ImageJ2.isColor(image);
	}

	@Override
	public String axes(final Img<?> image) {
		return ImageJ2.axes(image).orElse("xyzct".substring(0, Math.min(5, image.numDimensions())));
	}

	@Override
	public List<String> openImages() {
		return ImageJ1.openImages();
	}

	@Override
	public Img<FloatType> describe(final Img<FloatType> map, final String name, final Img<?> source, final long[] origin,
		final double min, final double max)
	{
		return ImageJ2.describe(map, name, source, origin, min, max);
	}

	@Override
	public void forgetEscape() {
		ImageJ1.forgetEscape();
	}

	@Override
	public boolean escapePressed() {
		return ImageJ1.escapePressed();
	}

	@Override
	public boolean abortMacro(final String reason) {
		return ImageJ1.abortMacro(reason);
	}
}
