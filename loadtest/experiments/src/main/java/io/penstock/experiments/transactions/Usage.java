package io.penstock.experiments.transactions;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * The use of the machine so far.
 *
 * @param cpu processor time of this process
 * @param serverCpu processor time of the delay server's process
 * @param loadAverage the system's, over about the last minute; negative if the system has none
 */
record Usage(Duration cpu, Duration serverCpu, double loadAverage) {
    static final Usage NONE = new Usage(Duration.ZERO, Duration.ZERO, -1);

    static Usage now(Duration serverCpu) {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Usage(Duration.ofNanos(system.getProcessCpuTime()), serverCpu, system.getSystemLoadAverage());
    }
}
