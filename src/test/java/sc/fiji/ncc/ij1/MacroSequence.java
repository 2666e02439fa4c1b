package sc.fiji.ncc.ij1;

import ij.IJ;
import ij.Macro;
import ij.macro.Interpreter;

/** Runs macros one after the other in one ImageJ, and says where each begins: a process for each would take a second each. */
final class MacroSequence {

	static final String BEGIN = "=== ";

	private MacroSequence() {}

	/** @param args paths of macros; the arguments of the macros are empty */
	public static void main(final String[] args) {
		for (final String path : args) {
			System.out.println(BEGIN + path);
			Interpreter.batchMode = true;
			try {
				IJ.runMacroFile(path, "");
			}
			catch (final RuntimeException e) {
				if (!Macro.MACRO_CANCELED.equals(e.getMessage())) throw e;
			}
		}
		System.exit(0);
	}
}
