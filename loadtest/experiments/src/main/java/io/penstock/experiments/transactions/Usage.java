package io.penstock.experiments.transactions;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * The use of the machine's processors so far.
 *
 * @param cpu the processor time of this process
 * @param serverCpu the processor time of the {@link DelayServer}'s process
 * @param loadAverage the load average of the system over about the last minute; negative if the system does not report it
 */
record Usage(Duration cpu, Duration serverCpu, double loadAverage) {
    static final Usage NONE = new Usage(Duration.ZERO, Duration.ZERO, -1);

    static Usage now(Duration serverCpu) {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Usage(Duration.ofNanos(system.getProcessCpuTime()), serverCpu, system.getSystemLoadAverage());
    }
}
