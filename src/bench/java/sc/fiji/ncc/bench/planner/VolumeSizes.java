package sc.fiji.ncc.bench.planner;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking.Candidate;
import sc.fiji.ncc.planner.Ranking;

/**
 * What each method takes for cubes in a volume, over the cube's side, and what was expected: FLCC's 2x2x2 to 10x10x10 and on, direct against Fourier. Noise;
 * all methods by turns in one JVM.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.planner.VolumeSizes -Dexec.args="--image 128 --sides 2,4,6,8,10,16,32"
 * </pre>
 * <table><caption>Milliseconds, 128x128x128 floats, 2 threads of an Intel Xeon at 2.5 GHz, 2026-11-21, {@code --repeats 5}, beside other work</caption>
 * <tr><th>template</th><th>direct, JDK 17</th><th>Fourier</th><th>direct, JDK 25 with vectors</th><th>Fourier</th></tr>
 * <tr><td>2x2x2</td><td>82</td><td>241</td><td>60</td><td>257</td></tr>
 * <tr><td>3x3x3</td><td>66</td><td>126</td><td>52</td><td>752</td></tr>
 * <tr><td>4x4x4</td><td>73</td><td>86</td><td>52</td><td>158</td></tr>
 * <tr><td>5x5x5</td><td>137</td><td>112</td><td>77</td><td>950</td></tr>
 * <tr><td>6x6x6</td><td>149</td><td>93</td><td>74</td><td>87</td></tr>
 * <tr><td>7x7x7</td><td>196</td><td>103</td><td>112</td><td>74</td></tr>
 * <tr><td>8x8x8</td><td>245</td><td>106</td><td>106</td><td>64</td></tr>
 * <tr><td>9x9x9</td><td>621</td><td>186</td><td>109</td><td>67</td></tr>
 * <tr><td>10x10x10</td><td>301</td><td>89</td><td>156</td><td>116</td></tr>
 * <tr><td>16x16x16</td><td>956</td><td>155</td><td>280</td><td>80</td></tr>
 * </table>
 * The first figures of Fourier are of code that is being compiled. Of FLCC's common sizes, 2x2x2 to 10x10x10, those up to 4x4x4 take what 2x2x2 does: the
 * windows' moments and the normalisation, not products, of which a loop unrolled for the size could save nothing that shows; from 5x5x5 (JDK 17) or 7x7x7
 * on Fourier takes over. So there are none.
 */
@Command(name = "VolumeSizes", mixinStandardHelpOptions = true, sortOptions = false)
public final class VolumeSizes implements Callable<Integer> {

	@Option(names = "--image", defaultValue = "128", description = "the volume's side: ${DEFAULT-VALUE}")
	private int image;
	@Option(names = "--sides", defaultValue = "2,3,4,5,6,7,8,9,10,12,16,32", split = ",", description = "of the template: ${DEFAULT-VALUE}")
	private int[] sides;
	@Option(names = "--dimensions", defaultValue = "3", description = "of both: ${DEFAULT-VALUE}")
	private int dimensions;
	@Option(names = "--type", defaultValue = "F32", description = "of the pixels: ${DEFAULT-VALUE}")
	private PixelType type;
	@Option(names = "--precision", defaultValue = "SINGLE", description = "of the responses: ${DEFAULT-VALUE}")
	private Precision precision;
	@Option(names = "--threads", defaultValue = "2", description = "${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--repeats", defaultValue = "7", description = "turns of each: ${DEFAULT-VALUE}")
	private int repeats;

	public static void main(final String[] args) {
		final int code = new CommandLine(new VolumeSizes()).setCaseInsensitiveEnumValuesAllowed(true).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() {
		System.out.println(Machine.describe());
		final Planner planner = new Planner(Backends.all(threads));
		for (final int side : sides) {
			final Ranking ranking = planner.rank(NormalizedCrossCorrelation.problem(type, size(image), type, size(side), Extent.VALID, 1).in(precision),
				Optional.of("cpu"), Optional.empty(), Effort.ESTIMATE, 0, Monitor.NONE);
			final List<Candidate> candidates = ranking.candidates().stream().filter(Candidate::applies).toList();
			final Map<String, Double> seconds = new Cell((Correlation) ranking.problem(), false).measure(candidates, repeats, 0.3, 6);
			final StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%s in %s:", size(side), size(image)));
			for (final Candidate c : candidates) line.append(String.format(Locale.ROOT, "  %s %.2f ms (%.2f expected)", c.name(), 1e3 * seconds.get(c.name()),
				1e3 * c.plan().cost().seconds()));
			System.out.println(line);
		}
		return 0;
	}

	private Size size(final int side) {
		final long[] extents = new long[dimensions];
		Arrays.fill(extents, side);
		return Size.of(extents);
	}
}
