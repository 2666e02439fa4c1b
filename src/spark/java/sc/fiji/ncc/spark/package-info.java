/**
 * The command line on a cluster of Apache Spark. {@link sc.fiji.ncc.spark.NccSpark} is the driver, {@link sc.fiji.ncc.spark.ExecutorParts} serves the tasks of an
 * executor. This package is not part of the plugin: the Maven profile {@code spark} builds it. Start with {@link sc.fiji.ncc.spark.SparkCluster}.
 */
package sc.fiji.ncc.spark;
