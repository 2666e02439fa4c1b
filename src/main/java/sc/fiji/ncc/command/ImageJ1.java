package sc.fiji.ncc.command;

import java.util.List;

import net.imglib2.img.Img;

import org.scijava.convert.ConvertService;

import ij.IJ;
import ij.ImagePlus;
import ij.Macro;
import ij.WindowManager;
import ij.macro.Interpreter;

/** ImageJ 1.x inside Fiji, if it is there; each method does nothing where it is not. */
public final class ImageJ1 {

	private static final boolean PRESENT = present();

	private ImageJ1() {}

	static List<String> openImages() {
		return PRESENT ? List.of(WindowManager.getImageTitles()) : List.of();
	}

	static void forgetEscape() {
		if (PRESENT) IJ.resetEscape();
	}

	static boolean escapePressed() {
		return PRESENT && IJ.escapePressed();
	}

	/** See {@link FrontEnd#abortMacro}. */
	public static boolean abortMacro(final String reason) {
		if (!PRESENT || !IJ.isMacro()) return false;
		if (reason.isEmpty()) {
			final Interpreter macro = Interpreter.getInstance();
			if (macro != null) {
				// ends it without a dialog
				macro.setIgnoreErrors(true);
				macro.abort(Macro.MACRO_CANCELED);
			}
			return true;
		}
		try {
			IJ.error(reason);
		}
		catch (final RuntimeException e) {
			// this is how a macro's own thread ends it; the thread here is another
			if (!Macro.MACRO_CANCELED.equals(e.getMessage())) throw e;
		}
		return true;
	}

	/** Opens an image for macros. Only without windows: with them it would register the image, and its viewer would then refuse it. */
	static void show(final Img<?> image, final ConvertService convert) {
		if (!PRESENT || !convert.supports(image, ImagePlus.class)) return;
		final ImagePlus imp = convert.convert(image, ImagePlus.class);
		if (imp == null) return;
		// the conversion takes the range of the first plane
		ImageJ2.displayRange(image).ifPresent(range -> imp.setDisplayRange(range[0], range[1]));
		imp.show();
	}

	private static boolean present() {
		try {
			Class.forName("ij.IJ", false, ImageJ1.class.getClassLoader());
			return true;
		}
		catch (final ClassNotFoundException e) {
			return false;
		}
	}
}
