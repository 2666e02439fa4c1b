package sc.fiji.ncc.pose;

/** Which pixels of a rotated template count. */
public enum PoseSupport {

	/** The largest disk, in three dimensions the largest ball, in the template. All angles share it. */
	DISK,

	/** The disk without a smaller one about the same centre. */
	RING,

	/** The whole template or its mask, rotated with it. Slower: every pose has its own correlation and its own window sums. */
	WHOLE
}
