package sc.fiji.ncc.ij1;

import java.awt.Button;
import java.awt.Checkbox;
import java.awt.Component;
import java.awt.Container;
import java.awt.Dialog;
import java.awt.Frame;
import java.awt.Label;
import java.awt.Window;
import java.util.ArrayList;
import java.util.List;

import javax.swing.AbstractButton;
import javax.swing.JCheckBox;
import javax.swing.JLabel;

import ij.gui.ImageWindow;
import ij.text.TextPanel;
import ij.text.TextWindow;

/** The texts that a picture of a window shows: what kind, and the text, separated by a tab. The documents keep them beside the picture. */
final class WindowTexts {

	/** The rows of a table that its picture shows. */
	private static final int ROWS = 12;

	private WindowTexts() {}

	static List<String> of(final Window window) {
		final List<String> texts = new ArrayList<>();
		texts.add("title\t" + title(window).replaceAll(" \\(.*\\)$", ""));
		if (window instanceof TextWindow) table(((TextWindow) window).getTextPanel(), texts);
		else if (!(window instanceof ImageWindow)) components(window, texts);
		return texts;
	}

	/** The title of a window. Empty if it has none. */
	static String title(final Window window) {
		return window instanceof Dialog ? ((Dialog) window).getTitle() : window instanceof Frame ? ((Frame) window).getTitle() : "";
	}

	private static void table(final TextPanel panel, final List<String> texts) {
		for (final String column : panel.getColumnHeadings().split("\t")) if (!column.isBlank()) texts.add("column\t" + column.strip());
		for (int row = 0; row < Math.min(ROWS, panel.getLineCount()); row++)
			for (final String cell : panel.getLine(row).split("\t")) if (!cell.isBlank()) texts.add("cell\t" + cell.strip());
	}

	private static void components(final Container in, final List<String> texts) {
		for (final Component c : in.getComponents()) {
			if (!c.isShowing()) continue;
			if (c instanceof Label) add("label", ((Label) c).getText(), texts);
			else if (c instanceof Checkbox) add("label", ((Checkbox) c).getLabel(), texts);
			else if (c instanceof Button) add("button", ((Button) c).getLabel(), texts);
			else if (c instanceof JLabel) add(((JLabel) c).getLabelFor() == null ? "text" : "label", ((JLabel) c).getText(), texts);
			else if (c instanceof JCheckBox) add("label", ((JCheckBox) c).getText(), texts);
			else if (c instanceof AbstractButton) add("button", ((AbstractButton) c).getText(), texts);
			else if (c instanceof Container) components((Container) c, texts);
		}
	}

	private static void add(final String kind, final String text, final List<String> texts) {
		if (text != null && !text.isBlank()) texts.add(kind + "\t" + text.replace('_', ' ').strip().replaceAll(":$", ""));
	}
}
