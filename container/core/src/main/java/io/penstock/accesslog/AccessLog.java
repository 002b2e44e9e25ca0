package io.penstock.accesslog;

import io.penstock.events.ConnectionEvents;
import io.penstock.events.Notes;
import io.penstock.events.RequestSummary;
import io.penstock.limits.AccessLogging;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.memory.ByteAccount;
import io.penstock.memory.Rounds;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An access log of one server: a file with its writer. It has one line for each request that has ended. This includes refused and malformed requests, and requests
 * whose client has disconnected.
 *
 * <p>The thread that ends a request formats the line, because this thread has the request's data. Another thread writes the line to disk.
 *
 * <p>Thread: {@code ended}: the thread that ends a request. {@code ended} never waits. If the {@link LogRing ring} is full, the line is
 * dropped. {@link #look}: the scheduler. {@link #reopen}: any. {@link #start} and {@link #close}: the owner of the server. Owns: the ring
 * and the thread {@code log-writer}.
 */
public final class AccessLog implements ConnectionEvents, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);

    /** The longest time that {@link #close} waits for the disk. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int USUAL_LINE = 256;

    /** Only lines with more bytes are counted in {@code longLines}. The number of places in the ring limits the memory of shorter lines. */
    private static final int NOT_LONG = 2048;

    private static final long BYTES_A_PLACE = 1024;

    /** Each thread that ends requests has its own buffer, and uses it again for each line. */
    private final ThreadLocal<LineBuffer> buffer = ThreadLocal.withInitial(() -> new LineBuffer(USUAL_LINE));

    private final LineFormat format;
    private final LineFilter filter;
    private final LogRing<byte[]> ring;
    private final ByteAccount longLines;
    private final LogFile file;
    private final LogWriter writer;
    private final WriteFailureLog failures;
    private final Thread thread;

    /**
     * @param rounds keeps the writer thread running after an exception
     * @throws IllegalArgumentException as {@link #check}
     */
    public AccessLog(AccessLogging config, Counters counters, Rounds rounds) {
        this(config, counters, rounds, LOG, Clock.SYSTEM, InstantSource.system(), ZoneId.systemDefault());
    }

    AccessLog(
            AccessLogging config,
            Counters counters,
            Rounds rounds,
            Logger log,
            Clock clock,
            InstantSource calendar,
            ZoneId zone) {
        this.format = format(config, zone);
        this.filter = LineFilter.of(config);
        this.ring = new LogRing<>(config.ring());
        this.longLines = new ByteAccount(config.ring() * BYTES_A_PLACE);
        this.file = new LogFile(config, calendar, zone);
        this.failures = new WriteFailureLog(log, name(config), counters, clock);
        this.writer = new LogWriter(ring, format, file, failures, rounds, this::giveBack);
        this.thread = new Thread(null, writer, "log-writer", 0, false);
        thread.setContextClassLoader(AccessLog.class.getClassLoader());
        // A disk can block the thread forever. The thread must not prevent the exit of the JVM.
        thread.setDaemon(true);
    }

    private static LineFormat format(AccessLogging config, ZoneId zone) {
        try {
            return LineFormat.of(config.format(), zone, config.node());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(Key.ACCESS_LOG_FORMAT.id() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Checks the format and the conditions.
     *
     * @throws IllegalArgumentException if a field does not exist; the message contains the configuration key
     */
    public static void check(AccessLogging config) {
        format(config, ZoneId.systemDefault());
        LineFilter.of(config);
    }

    private static String name(AccessLogging config) {
        return config.file() == null ? "on the standard output" : config.file().toString();
    }

    /**
     * Opens the file and starts the writer.
     *
     * @throws IOException if the file cannot be opened; the message contains the file name
     */
    public void start() throws IOException {
        file.check();
        thread.start();
    }

    @Override
    public boolean followsRequests() {
        return true;
    }

    @Override
    public Notes.Wanted wanted() {
        return format.wanted().and(filter.wanted());
    }

    /** Adds the line of a request without notes. */
    @Override
    public void ended(RequestSummary summary) {
        ended(summary, Notes.NONE);
    }

    /**
     * Adds the line of the request, if the conditions of the operator hold. If this method throws, for example an {@link OutOfMemoryError}, the line is lost. The caller handles
     * the exception.
     */
    @Override
    public void ended(RequestSummary summary, Notes notes) {
        boolean kept = false;
        try {
            LineBuffer line = buffer.get();
            kept = !filter.accepts(summary, notes, line) || keep(line(summary, notes, line));
        } finally {
            if (!kept) {
                failures.lost();
            }
        }
    }

    private byte[] line(RequestSummary summary, Notes notes, LineBuffer line) {
        line.clear(); // removes the previous line
        format.write(summary, notes, line);
        return line.copy();
    }

    /** Puts the line into the ring. Returns false if the ring is full, or if the long lines in the ring have too many bytes. */
    private boolean keep(byte[] line) {
        long counted = counted(line);
        if (counted > 0 && !longLines.tryReserve(counted)) {
            return false;
        }
        boolean kept = ring.offer(line);
        if (!kept) {
            giveBack(line);
        }
        return kept;
    }

    private static long counted(byte[] line) {
        return line.length > NOT_LONG ? line.length : 0;
    }

    private void giveBack(byte[] line) {
        long counted = counted(line);
        if (counted > 0) {
            longLines.giveBack(counted);
        }
    }

    /** The number of lines that wait to be written. Thread: any. */
    public long waiting() {
        return ring.waiting();
    }

    /** Makes the writer open a file with the log's name again, after another program has moved the file. Does not wait for the writer. */
    public void reopen() {
        writer.wantReopen();
    }

    /** Logs a warning to the server's log if lines were dropped since the last warning. */
    public void look() {
        failures.checkDropped();
    }

    /** Writes the waiting lines and ends the writer thread. If the disk hangs, the method waits for at most {@link #PATIENCE}. */
    @Override
    public void close() {
        ring.close();
        try {
            thread.join(Saturated.millis(PATIENCE));
        } catch (InterruptedException e) {
            // End the wait. The interrupt status is kept for the caller.
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.warn("The access log lost its last {} lines, because its disk accepts no bytes", ring.waiting());
        }
    }
}
