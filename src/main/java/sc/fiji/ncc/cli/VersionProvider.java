package sc.fiji.ncc.cli;

import picocli.CommandLine.IVersionProvider;

/** The version from the manifest of the jar. */
final class VersionProvider implements IVersionProvider {

	@Override
	public String[] getVersion() {
		final String version = VersionProvider.class.getPackage().getImplementationVersion();
		return new String[] { "ncc " + (version == null ? "(not packaged)" : version) };
	}
}
