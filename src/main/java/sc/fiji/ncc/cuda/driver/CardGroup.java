package sc.fiji.ncc.cuda.driver;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import sc.fiji.ncc.plan.Device;

/** Identical cards as one device: see {@link sc.fiji.ncc.cuda.MultiDevicePlan}. */
public record CardGroup(Device device, List<CudaDevice> cards) {

	/** One group for each kind of card that the machine has several of. Cards that are off are left out. */
	public static List<CardGroup> of(final List<CudaDevice> devices) {
		final Map<String, List<CudaDevice>> kinds = new LinkedHashMap<>();
		for (final CudaDevice d : devices) if (d.lost() == null) kinds.computeIfAbsent(d.device.name(), name -> new ArrayList<>()).add(d);
		final List<CardGroup> groups = new ArrayList<>();
		kinds.forEach((name, cards) -> {
			if (cards.size() > 1) groups.add(new CardGroup(device(name, cards), List.copyOf(cards)));
		});
		return groups;
	}

	/** The device of a group, for example {@code cuda0+1}. */
	private static Device device(final String name, final List<CudaDevice> cards) {
		final StringBuilder id = new StringBuilder("cuda");
		int processors = 0;
		long memory = 0;
		for (final CudaDevice d : cards) {
			if (processors > 0) id.append('+');
			id.append(d.index);
			processors += d.processors;
			memory += d.device.memory();
		}
		return new Device(id.toString(), cards.size() + " x " + name, processors, memory);
	}
}
