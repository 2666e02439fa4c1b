package sc.fiji.ncc.ij1;

import ij.IJ;

import org.scijava.app.StatusService;
import org.scijava.app.event.StatusEvent;
import org.scijava.service.AbstractService;

/** The status bar of ImageJ 1.x. It is not a SciJava plugin, so that Fiji uses its own status service. */
public final class ImageJStatusService extends AbstractService implements StatusService {

	@Override
	public void showProgress(final int value, final int maximum) {
		IJ.showProgress(value, maximum);
	}

	@Override
	public void showStatus(final String message) {
		IJ.showStatus(message);
	}

	@Override
	public void showStatus(final int progress, final int maximum, final String message) {
		showProgress(progress, maximum);
		showStatus(message);
	}

	@Override
	public void showStatus(final int progress, final int maximum, final String message, final boolean warn) {
		showStatus(progress, maximum, message);
	}

	@Override
	public void warn(final String message) {
		showStatus(message);
	}

	@Override
	public void clearStatus() {
		showStatus("");
	}

	@Override
	public String getStatusMessage(final String appName, final StatusEvent event) {
		return event.getStatusMessage();
	}
}
