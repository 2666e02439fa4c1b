package sc.fiji.ncc.plan;

/** What weighs the template's pixels: nothing (all count once), or a mask of zeros and ones. */
public enum Weights { NONE, BINARY }
