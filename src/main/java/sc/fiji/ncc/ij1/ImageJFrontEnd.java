package sc.fiji.ncc.ij1;

import java.awt.GraphicsEnvironment;
import java.awt.image.BufferedImage;

import net.imglib2.img.Img;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;

import sc.fiji.ncc.command.imagej.ImageJ1;
import sc.fiji.ncc.command.imagej.ImageJ1FrontEnd;
import sc.fiji.ncc.command.program.MapDescription;
import sc.fiji.ncc.command.program.Table;

/** The front end in plain ImageJ 1.x, made for each run of a command. It is not a SciJava plugin, so that Fiji uses its own front end. */
public final class ImageJFrontEnd extends ImageJ1FrontEnd {

	/** Returns the map itself, because ImageJ 1.x has no scripts that use this output. */
	@Override
	public <T extends NativeType<T> & RealType<T>> Img<T> describe(final Img<T> map, final MapDescription description) {
		return map;
	}

	@Override
	public void open(final Img<? extends RealType<?>> map, final MapDescription description) {
		ImageJ1.open(map, description);
	}

	@Override
	public void show(final Table table, final boolean append) {
		ImageJ1.show(table, append, isInteractive());
	}

	@Override
	public void show(final String title, final BufferedImage picture) {
		ImageJ1.show(title, picture);
	}

	@Override
	public void note(final String line) {
		ImageJ1.note(line);
	}

	@Override
	public boolean isInteractive() {
		return !GraphicsEnvironment.isHeadless() && macro().isEmpty();
	}

	/** Does nothing: {@link CommandRunner} ends the macro and shows the reason. */
	@Override
	public boolean abortMacro(final String reason) {
		return false;
	}
}
