package io.penstock.experiments.transactions;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The results of one kind of client in one minute.
 *
 * @param number from 1
 * @param length its real length, which is shorter if it was interrupted
 * @param ending whether it lasted as long as planned
 * @param complete transactions whose calls were all answered
 * @param failed transactions with an unanswered call
 * @param calls made by the transactions that ended
 * @param pastDeadline calls without an answer at their deadline
 * @param failedOtherwise calls that failed in any other way
 * @param latency of the complete transactions: their sum
 * @param cpu of this process
 * @param serverCpu of the delay server's process
 * @param loadAverage the system's, over about a minute, at the end; negative if the system has none
 * @param firstTrouble the first failure of a call, in words; empty if there was none
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

    /** Per cent of one processor. */
    double cpuPercent() {
        return 100.0 * cpu.toNanos() / length.toNanos();
    }
}
