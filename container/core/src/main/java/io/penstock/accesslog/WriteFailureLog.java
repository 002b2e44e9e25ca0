package io.penstock.accesslog;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.OperatorFile;
import io.penstock.time.Clock;
import io.penstock.time.RateLimitedLog;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;

/**
 * Logs failures of the access log to the server's log: at most one warning a minute, and one message when writes succeed again.
 *
 * <p>Thread: the writer and the scheduler; {@link #lost}: any. Threads that serve clients must not call the other methods, because the
 * server's log might be on the failed disk.
 */
final class WriteFailureLog {
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final Logger log;
    private final String name;
    private final Counters counters;
    private final RateLimitedLog warnings;
    private final LongAdder dropped = new LongAdder();

    @GuardedBy("this")
    private State state = State.WRITING;

    @GuardedBy("this")
    private long droppedAtLastWarning;

    private enum State {
        WRITING,
        WARNED
    }

    /**
     * @param name the name of the log file
     * @param counters those of the server, with the lines that all its logs have dropped
     */
    WriteFailureLog(Logger log, String name, Counters counters, Clock clock) {
        this.log = log;
        this.name = name;
        this.counters = counters;
        this.warnings = new RateLimitedLog(clock, PAUSE);
    }

    /** Counts a line that was dropped. */
    void lost() {
        dropped.increment();
        counters.increment(Counter.ACCESS_LOG_DROPPED);
    }

    /** A write has failed. */
    synchronized void failed(Throwable why) {
        if (warnings.happened() > 0) {
            log.warn(
                    "The access log {} cannot be written: {}. The server retries; while the buffer of"
                            + " lines is full, further lines are lost ({} so far)",
                    name,
                    why instanceof IOException failure ? OperatorFile.reason(failure) : why.toString(),
                    dropped(),
                    // A disk failure needs no stack trace.
                    why instanceof IOException ? null : why);
            warned();
        }
    }

    /** A write has succeeded. */
    synchronized void succeeded() {
        if (state == State.WARNED) {
            state = State.WRITING;
            log.info(
                    "The access log {} is written again; {} requests since the start are missing from it",
                    name,
                    dropped());
        }
    }

    /** Logs a warning if lines were dropped since the last message. */
    synchronized void checkDropped() {
        if (dropped() > droppedAtLastWarning && warnings.happened() > 0) {
            log.warn(
                    "The access log {} does not keep up with the requests, or its disk accepts no bytes: {} requests since"
                            + " the start are missing from it",
                    name,
                    dropped());
            warned();
        }
    }

    @GuardedBy("this")
    private void warned() {
        state = State.WARNED;
        droppedAtLastWarning = dropped();
    }

    private long dropped() {
        return dropped.sum();
    }
}
