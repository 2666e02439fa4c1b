package sc.fiji.ncc.ij1;

import ij.IJ;
import ij.Macro;
import ij.macro.Interpreter;

/** Runs several macros in one ImageJ and prints a line before each, because a process for each macro takes a second. */
final class MacroSequence {

	static final String BEGIN = "=== ";

	private MacroSequence() {}

	/** @param args paths of macros, each followed by its argument */
	public static void main(final String[] args) {
		for (int i = 0; i < args.length; i += 2) {
			System.out.println(BEGIN + args[i]);
			Interpreter.batchMode = true;
			try {
				IJ.runMacroFile(args[i], args[i + 1]);
			}
			catch (final RuntimeException e) {
				if (!Macro.MACRO_CANCELED.equals(e.getMessage())) throw e;
			}
			IJ.runMacro("while (nImages > 0) { selectImage(nImages); close(); } run('Clear Results');");
		}
		System.exit(0);
	}
}
