package sc.fiji.ncc.cuda.driver;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import sc.fiji.ncc.plan.Device;

/** Identical GPUs as one device: see {@link sc.fiji.ncc.cuda.MultiDevicePlan}. */
public record GpuGroup(Device device, List<CudaDevice> gpus) {

	/** One group for each kind of GPU that the machine has several of. GPUs that are off are left out. */
	public static List<GpuGroup> of(final List<CudaDevice> devices) {
		final Map<String, List<CudaDevice>> kinds = new LinkedHashMap<>();
		for (final CudaDevice d : devices) if (d.lost() == null) kinds.computeIfAbsent(d.device.name(), name -> new ArrayList<>()).add(d);
		final List<GpuGroup> groups = new ArrayList<>();
		kinds.forEach((name, gpus) -> {
			if (gpus.size() > 1) groups.add(new GpuGroup(device(name, gpus), List.copyOf(gpus)));
		});
		return groups;
	}

	/** The device of a group, for example {@code cuda0+1}. */
	private static Device device(final String name, final List<CudaDevice> gpus) {
		final StringBuilder id = new StringBuilder("cuda");
		int processors = 0;
		long memory = 0;
		for (final CudaDevice d : gpus) {
			if (processors > 0) id.append('+');
			id.append(d.index);
			processors += d.processors;
			memory += d.device.memory();
		}
		return new Device(id.toString(), gpus.size() + " x " + name, processors, memory);
	}
}
