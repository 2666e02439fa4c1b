package sc.fiji.ncc.cli.input;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.front.WrittenNumber;

/** Kernels as text, in the format of ImageJ's command Convolve: rows of numbers, separated by blanks or commas. */
public final class KernelFile {

	private KernelFile() {}

	/** Whether a file name denotes a kernel as text. */
	public static boolean isText(final String name) {
		return name.toLowerCase(Locale.ROOT).endsWith(".txt");
	}

	/** @throws IllegalArgumentException if the file cannot be read, is empty, contains anything else than numbers, or has rows of different lengths */
	public static Img<?> read(final String name) {
		final List<String> lines;
		try {
			lines = Files.readAllLines(ImageFiles.requireFile(name), StandardCharsets.UTF_8);
		}
		catch (final CharacterCodingException e) {
			throw new IllegalArgumentException("cannot read the kernel " + name + ": it is not text in UTF-8; write rows of numbers, separated by blanks", e);
		}
		catch (final IOException e) {
			throw new IllegalArgumentException("cannot read the kernel " + name + ": " + FailureReason.of(e), e);
		}
		final List<double[]> rows = new ArrayList<>();
		for (final String line : lines) {
			if (line.isBlank()) continue;
			final double[] row;
			try {
				row = WrittenNumber.row(line);
			}
			catch (final NumberFormatException e) {
				throw new IllegalArgumentException("the kernel " + name + " contains '" + line.trim() + "' in row " + (rows.size() + 1) + ": " + e.getMessage(), e);
			}
			if (!rows.isEmpty() && row.length != rows.get(0).length) throw new IllegalArgumentException("the kernel " + name + " has " + rows.get(0).length
				+ " numbers in its first row and " + row.length + " in row " + (rows.size() + 1) + ": write rows of equal length");
			rows.add(row);
		}
		if (rows.isEmpty()) throw new IllegalArgumentException("the kernel " + name + " is empty: write rows of numbers, separated by blanks");
		final int width = rows.get(0).length;
		final double[] values = new double[width * rows.size()];
		for (int y = 0; y < rows.size(); y++) System.arraycopy(rows.get(y), 0, values, y * width, width);
		return ArrayImgs.doubles(values, width, rows.size());
	}
}
