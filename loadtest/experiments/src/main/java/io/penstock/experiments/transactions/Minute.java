package io.penstock.experiments.transactions;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The results of one kind of client in one minute.
 *
 * @param number the number of the minute, counted from 1
 * @param length the real length of the minute, which is shorter if the minute was interrupted
 * @param ending whether the minute had its planned length
 * @param complete the number of transactions whose calls were all answered
 * @param failed the number of transactions with a call that was not answered
 * @param calls the number of calls of all these transactions
 * @param pastDeadline the number of calls that had no answer at their deadline
 * @param failedOtherwise the number of calls that failed for another reason
 * @param latency the sum of the latencies of all complete transactions
 * @param cpu the processor time of this process
 * @param serverCpu the processor time of the {@link DelayServer}'s process
 * @param loadAverage the load average of the system at the end of the minute; negative if the system does not report it
 * @param firstTrouble the description of the first failure of a call; empty if no call has failed
 */
record Minute(
        Kind kind,
        int number,
        Duration length,
        Ending ending,
        long complete,
        long failed,
        long calls,
        long pastDeadline,
        long failedOtherwise,
        Duration latency,
        Duration cpu,
        Duration serverCpu,
        double loadAverage,
        String firstTrouble) {

    /** The ways in which a minute can end. */
    enum Ending {
        WHOLE,
        CUT
    }

    double perMinute() {
        return complete * (double) TimeUnit.MINUTES.toNanos(1) / length.toNanos();
    }

    /** The mean latency of the complete transactions, in milliseconds; NaN if there was none. */
    double meanLatencyMillis() {
        return latency.toNanos() / 1e6 / complete;
    }

    /** The processor time of this process, in percent of one processor. */
    double cpuPercent() {
        return 100.0 * cpu.toNanos() / length.toNanos();
    }
}
