package sc.fiji.ncc.ij1;

import java.awt.GraphicsEnvironment;

import net.imglib2.img.Img;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;

import sc.fiji.ncc.command.imagej.ImageJ1FrontEnd;
import sc.fiji.ncc.command.program.MapDescription;

/** The front end in plain ImageJ 1.x, made for each run of a command. It is not a SciJava plugin, so that Fiji uses its own front end. */
public final class ImageJFrontEnd extends ImageJ1FrontEnd {

	/** Returns the map itself, because ImageJ 1.x has no scripts that use this output. */
	@Override
	public <T extends NativeType<T> & RealType<T>> Img<T> describe(final Img<T> map, final MapDescription description) {
		return map;
	}

	@Override
	protected boolean isHeadless() {
		return GraphicsEnvironment.isHeadless();
	}

	/** Does nothing: {@link CommandRunner} ends the macro and shows the reason. */
	@Override
	public boolean abortMacro(final String reason) {
		return false;
	}
}
