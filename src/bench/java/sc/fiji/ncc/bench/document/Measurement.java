package sc.fiji.ncc.bench.document;

import java.util.List;

import sc.fiji.ncc.bench.AgainstOpenCv;
import sc.fiji.ncc.bench.ColdStart;
import sc.fiji.ncc.bench.Colours;
import sc.fiji.ncc.bench.Convolutions;
import sc.fiji.ncc.bench.DriftBench;
import sc.fiji.ncc.bench.KernelSizes;
import sc.fiji.ncc.bench.LargeTemplates;
import sc.fiji.ncc.bench.accuracy.TrustedScores;
import sc.fiji.ncc.bench.accuracy.TrustedShifts;
import sc.fiji.ncc.bench.planner.FastestBySize;
import sc.fiji.ncc.bench.planner.MeasuredTimes;
import sc.fiji.ncc.bench.planner.PlannerRegret;
import sc.fiji.ncc.bench.stream.Streams;
import sc.fiji.ncc.bench.stream.Tracking;

/**
 * A table that a benchmark measures on CPUs: {@code src/doc/data/NAME.csv}.
 *
 * @param name of the table
 * @param benchmark a class with the option {@code --csv}
 * @param arguments of a real run
 * @param quick arguments of a trial, whose numbers mean nothing
 * @param runs the number of processes, one after the other: with more than one, the table gets a column {@code run}
 * @param everywhere whether it is measured on several machines and Javas: then the name ends in processor and Java, as in {@code -epyc-17}
 */
record Measurement(String name, Class<?> benchmark, String arguments, String quick, int runs, boolean everywhere) {

	/** The six sets of Moore, Leeser and Smith King, as {@code SmallShiftsBench} has them: a frame holds the template and its shifts. */
	private static final String MOORE = "--frame 60x89,25x41,53x100,90x108,111x159,134x192 --template 54x53,21x23,45x76,78x86,107x141,116x156 --count "
		+ "12,13,10,14,11,14 --choice";

	/** All of them. */
	static final List<Measurement> ALL = List.of(
		new Measurement("against-opencv", AgainstOpenCv.class, "--choice --repeats 15 --warm-up 2 --template 4x4,8x8,16x16,32x32,64x64,128x128,256x256",
			"--choice --repeats 2 --warm-up 0 --image 500x500 --template 8x8,64x64", 3, true),
		new Measurement("sides-planes", KernelSizes.class, "--repeats 3 --warm-up 0.5 --frames 3 --sides 2,4,6,8,12,16,20,24,32",
		"--image 200x200 --sides 2,8 --repeats 1 --warm-up 0", 1, false),
		new Measurement("sides-volumes", KernelSizes.class, "--image 128x128x128 --type float --sides 2,3,4,5,6,8,10 --repeats 3 --warm-up 0.5 --frames 2",
			"--image 32x32x32 --type float --sides 2,5 --repeats 1 --warm-up 0 --frames 2", 1, false),
		new Measurement("convolution-map-cpu", FastestBySize.class, "--operation convolve",
		"--operation convolve --image 64-128 --template 4-16 --warm-up 0 --turns 1", 1, false),
		new Measurement("crossover-cpu", FastestBySize.class, "--operation correlate,convolve --type u8,float --use stream --image 256-2048 --template "
		+ "4-64 --steps 2 --warm-up 3 --most 0.5",
			"--operation correlate,convolve --type float --use stream --image 128-128 --template 4-32 --warm-up 0 --turns 1", 1, false),
		regret("planes", "--image 256-2048 --template 4-128"),
		regret("volumes", "--dimensions 3 --image 32-128 --template 3-24"),
		regret("convolution", "--operation convolve --image 256-2048 --template 4-128"),
		new Measurement("measured-correlation", MeasuredTimes.class, "--operation correlate --processor-time --seconds 300",
			"--operation correlate --cell 64:8 --least 0", 1, false),
		new Measurement("measured-convolution", MeasuredTimes.class, "--operation convolve --processor-time --seconds 300",
			"--operation convolve --cell 64:8 --least 0", 1, false),
		new Measurement("small-shifts-cpu", Tracking.class, MOORE + " --length 300 --repeats 3 --warm-up 0", MOORE + " --length 3 --repeats 1 --warm-up 0", 1, false),
		new Measurement("convolution-cpu", Convolutions.class, "--kernel 3x3,7x7,13x13,31x31,64x64 --repeats 9 --warm-up 1",
		"--image 300x300 --kernel 3x3 --repeats 1 --warm-up 0", 1, false),
		new Measurement("streams-cpu", Streams.class, "--frames 8 --repeats 5 --warm-up 5", "--image 300x300 --frames 4 --repeats 1 --warm-up 0", 1, false),
		new Measurement("channels-cpu", Colours.class, "--repeats 7 --warm-up 3 --slowest 0.15", "--image 300x300 --template 8x8 --repeats 1 --warm-up 0", 1, false),
		new Measurement("large-templates-cpu", LargeTemplates.class, "--part valid,full,depths --template 512,1024,2048 --depth 48,64,128 --repeats 3",
			"--part valid --image 512 --template 100 --repeats 1", 1, false),
		new Measurement("drift-cpu", DriftBench.class, "--part speed --size 512,1024 --repeats 5",
		"--part speed --size 128 --frames 3 --repeats 1 --max-shift 10", 1, false),
		new Measurement("trust-scores", TrustedScores.class, "", "--side 64 --template 8", 1, false),
		new Measurement("trust-shifts", TrustedShifts.class, "", "--large 300", 1, false),
		new Measurement("cold-start-cpu", ColdStart.class, "", "", 1, false));

	private static Measurement regret(final String name, final String arguments) {
		return new Measurement("regret-" + name, PlannerRegret.class, arguments + " --type u8,float --turns 5 --least 0.02 --most 0.5 --warm-up 10 --seconds 210",
			arguments + " --turns 1 --least 0 --most 0 --warm-up 0 --seconds 1", 1, false);
	}
}
