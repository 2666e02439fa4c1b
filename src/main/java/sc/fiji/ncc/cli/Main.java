package sc.fiji.ncc.cli;
public final class Main { public static void main(final String[] a) { System.out.println("hi"); } }
