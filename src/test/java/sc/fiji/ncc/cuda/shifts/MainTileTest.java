package sc.fiji.ncc.cuda.shifts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cuda.CudaSmallShifts;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Shape;
import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Weights;

/** The choice of the main tile, compared with the times of a GPU, without a GPU. */
class MainTileTest {

	/** The multiprocessors of an H200. */
	private static final int PROCESSORS = 132;

	@Test
	void theChosenTileIsNearlyTheFastestMeasuredOne() throws IOException {
		final List<Map<String, String>> rows = DocumentTable.read(DocumentTable.FOLDER.resolve("small-shifts-gpu.csv")).rows();
		final List<String> slow = new ArrayList<>();
		for (final PixelType type : new PixelType[] { PixelType.F32, PixelType.U8 })
			for (final ShiftSet set : ShiftSet.ALL) {
				final Map<String, Double> ms = rows.stream().filter(r -> r.get("set").equals(set.name()) && r.get("type").equals(type == PixelType.F32
					? "float" : "8 bit") && !r.get("method").endsWith("planner") && !r.get("tile").equals("-"))
					.collect(Collectors.toMap(r -> r.get("tile"), r -> Double.valueOf(r.get("ms"))));
				final Shape tile = CudaSmallShifts.cut(set.problem(type), true, PROCESSORS).main;
				final String name = tile.rows() + "x" + tile.columns();
				assertTrue(ms.containsKey(name), name + " was not measured");
				final double ratio = ms.get(name) / ms.values().stream().mapToDouble(t -> t).min().orElseThrow();
				if (ratio > 1.1) slow.add("set " + set.name() + ", " + type + ": " + name + " takes " + ratio + " times the least time");
			}
		assertEquals(List.of(), slow);
	}

	/** Sixteen heights: each needs code of its own below the main tiles. */
	@Test
	void templatesOfTooManyShapesAreCutForAnyTemplate() {
		assertEquals(null, cut(16).main);
		final TemplateCut few = cut(3);
		assertTrue(few.main != null && few.shapes.size() <= TemplateCut.MAX_SHAPES, "shapes: " + few.shapes);
	}

	private static TemplateCut cut(final int templates) {
		final List<Size> sizes = new ArrayList<>();
		for (int t = 0; t < templates; t++) sizes.add(Size.of(33, 33 + t));
		return CudaSmallShifts.cut(Problems.correlation(PixelType.F32, PixelType.F32, Size.of(100, 100), sizes, Weights.NONE, Lags.inside(Size.of(7, 7)), 300), true,
			PROCESSORS);
	}
}
