package io.penstock.admin;

import io.penstock.metrics.OpenMetrics;
import io.penstock.metrics.OpenMetrics.Family;
import io.penstock.metrics.OpenMetrics.Type;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.util.function.ToLongFunction;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resources that the process and the JVM use, under the names of Prometheus and OpenTelemetry. Some names of OpenTelemetry end with
 * {@code count}. In a metrics text, this ending means the count of a histogram. Figures with such a name get the name from Prometheus'
 * client for Java instead. Figures that the system does not provide are omitted.
 *
 * <p>Thread: the thread that writes the text.
 */
final class ProcessFigures {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessFigures.class);
    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;
    private static final String TYPE = "jvm_memory_type";

    private final OpenMetrics out;

    ProcessFigures(OpenMetrics out) {
        this.out = out;
    }

    void all() {
        process();
        memory();
        collections();
        out.family("jvm_threads_current", Type.GAUGE, "", "live threads")
                .gauge(ManagementFactory.getThreadMXBean().getThreadCount());
        out.family("jvm_classes_currently_loaded", Type.GAUGE, "", "classes that are loaded")
                .gauge(ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
        out.family("jvm", Type.INFO, "", "name and version of the JVM")
                .info("version", String.valueOf(Runtime.version()), "vendor", System.getProperty("java.vendor", ""));
    }

    private void process() {
        out.family("process_start_time_seconds", Type.GAUGE, "seconds", "when the process started, since the epoch")
                .gauge(ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS);
        double cpu = ofSystem("ProcessCpuTime");
        if (cpu >= 0) {
            out.family("process_cpu_seconds", Type.COUNTER, "seconds", "processor time that the process has used")
                    .total(cpu / NANOS);
        }
        level("process_open_fds", "file descriptors that are open", ofSystem("OpenFileDescriptorCount"));
        level("process_max_fds", "file descriptors that may be open", ofSystem("MaxFileDescriptorCount"));
        level(
                "jvm_available_processors",
                "processors that the JVM may use",
                Runtime.getRuntime().availableProcessors());
    }

    private void level(String name, String help, double value) {
        if (value >= 0) {
            out.family(name, Type.GAUGE, "", help).gauge(value);
        }
    }

    /** The value of an attribute that only some JVMs have; -1 if it is missing. */
    private static double ofSystem(String attribute) {
        try {
            MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
            ObjectName system = new ObjectName(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME);
            return beans.getAttribute(system, attribute) instanceof Number number ? number.doubleValue() : -1;
        } catch (JMException | RuntimeException e) {
            LOG.debug("The operating system does not report {}", attribute, e);
            return -1;
        }
    }

    private void memory() {
        memory("jvm_memory_used_bytes", "memory in use", MemoryUsage::getUsed);
        memory(
                "jvm_memory_committed_bytes",
                "memory that the JVM has obtained from the system",
                MemoryUsage::getCommitted);
        memory("jvm_memory_limit_bytes", "the most memory that the JVM may use", MemoryUsage::getMax);
        Family buffers =
                out.family("jvm_buffer_memory_used_bytes", Type.GAUGE, "bytes", "memory of buffers outside the heap");
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            buffers.gauge(Math.max(0, pool.getMemoryUsed()), "jvm_buffer_pool_name", pool.getName());
        }
    }

    private void memory(String name, String help, ToLongFunction<MemoryUsage> which) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        Family family = out.family(name, Type.GAUGE, "bytes", help);
        long heap = which.applyAsLong(memory.getHeapMemoryUsage());
        long other = which.applyAsLong(memory.getNonHeapMemoryUsage());
        if (heap >= 0) {
            family.gauge(heap, TYPE, "heap");
        }
        if (other >= 0) {
            family.gauge(other, TYPE, "non_heap");
        }
    }

    private void collections() {
        Family family =
                out.family("jvm_gc_duration_seconds", Type.SUMMARY, "seconds", "garbage collections and their time");
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            family.summary(
                    Math.max(0, collector.getCollectionCount()),
                    Math.max(0, collector.getCollectionTime()) / MILLIS,
                    "jvm_gc_name",
                    collector.getName());
        }
    }
}
