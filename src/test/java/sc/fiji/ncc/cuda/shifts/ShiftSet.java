package sc.fiji.ncc.cuda.shifts;

import java.util.Collections;
import java.util.List;

import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Weights;

/** Templates of one size, moved by at most {@code shiftX} columns and {@code shiftY} rows either way, in {@code frames} frames. */
record ShiftSet(String name, int width, int height, int templates, int shiftX, int shiftY, int frames) {

	/** The sets of Moore, Leeser and Smith King, who give templates as rows by columns. They move by 2 to 9 columns and 9 to 18 rows. */
	static final List<ShiftSet> ALL = List.of(new ShiftSet("1", 54, 53, 12, 3, 18, 300), new ShiftSet("2", 21, 23, 13, 2, 9, 300), new ShiftSet("3", 45, 76,
		10, 4, 12, 300),
		new ShiftSet("4", 78, 86, 14, 6, 11, 300), new ShiftSet("5", 107, 141, 11, 2, 9, 300), new ShiftSet("6", 116, 156, 14, 9, 18, 300));

	int lagsX() {
		return 2 * shiftX + 1;
	}

	int lagsY() {
		return 2 * shiftY + 1;
	}

	/** Multiply-adds. */
	double products() {
		return (double) width * height * templates * lagsX() * lagsY() * frames;
	}

	Correlation problem(final PixelType type) {
		final Size size = Size.of(width + lagsX() - 1 + 40, height + lagsY() - 1 + 30);
		return Problems.correlation(type, type, size, Collections.nCopies(templates, Size.of(width, height)), Weights.NONE, Lags.inside(Size.of(lagsX(), lagsY())),
			frames);
	}
}
