package sc.fiji.ncc.cuda.shifts;

import java.util.List;

import sc.fiji.ncc.cuda.shifts.TemplateCut.Shape;

/** The main tiles that {@code SmallShiftsBench} measures. The tests compile the kernels for each. */
public final class MainTiles {

	public static final List<Shape> ALL = List.of(new Shape(16, 4), new Shape(8, 8), new Shape(4, 4), new Shape(8, 4), new Shape(24, 4), new Shape(32, 4),
		new Shape(16, 8));

	private MainTiles() {}
}
