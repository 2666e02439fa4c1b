/**
 * The command line on a cluster of Apache Spark. {@link sc.fiji.ncc.spark.NccSpark} is the driver, {@link sc.fiji.ncc.spark.ExecutorParts} serves the tasks of
 * an executor. This package is not part of the plugin: the Maven profile {@code spark} builds it. A subcommand on a cluster needs: its name in {@code
 * cli.Main.CLUSTER_COMMANDS}; a {@code cli.Cluster} as an argument of its class in {@code cli.Main.command}; and an interface of {@code cli.ClusterTask}, which
 * its class implements. A new kind of work also needs a method in {@code cli.Cluster}, {@code cli.ClusterTask}, {@link sc.fiji.ncc.spark.SparkCluster} and
 * {@code ExecutorParts}. Start with {@code SparkCluster}.
 */
package sc.fiji.ncc.spark;
