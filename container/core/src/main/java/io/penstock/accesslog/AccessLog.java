package io.penstock.accesslog;

import io.penstock.events.ConnectionEvents;
import io.penstock.events.RequestSummary;
import io.penstock.limits.AccessLogging;
import io.penstock.limits.ByteAccount;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
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
 * The access log of one server: a line for each request that has ended, also if it was refused, malformed, or its client has gone.
 *
 * <p>The line is made by whoever ends the request, who has all of it at hand; what it takes to the disk is another thread's.
 *
 * <p>Thread: {@link #ended} whoever ends a request; it waits for nothing and nobody, and drops what finds no place. {@link #look} the keeper;
 * {@link #reopen} any; {@link #start} and {@link #close} the server's owner. Owns: the ring and the thread {@code log-writer}.
 */
public final class AccessLog implements ConnectionEvents, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);

    /** A disk that takes nothing must not keep the server from ending. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int USUAL_LINE = 256;

    /** Lines up to that many bytes are not counted: there are at most as many as places. */
    private static final int NOT_LONG = 2048;

    private static final long BYTES_A_PLACE = 1024;

    /** A line is finished on the thread that begins it. */
    private final ThreadLocal<LineBuffer> buffer = ThreadLocal.withInitial(() -> new LineBuffer(USUAL_LINE));

    private final LineFormat format;
    private final LogRing<byte[]> ring;
    private final ByteAccount longLines;
    private final LogFile file;
    private final LogWriter writer;
    private final Complaints complaints;
    private final Counters counters;
    private final Thread thread;

    /**
     * @param rounds guard its thread
     * @throws IllegalArgumentException naming the key, if there is no such format
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
        this.counters = counters;
        try {
            this.format = LineFormat.of(config.format(), zone);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(Key.ACCESS_LOG_FORMAT.id() + ": " + e.getMessage(), e);
        }
        this.ring = new LogRing<>(config.ring());
        this.longLines = new ByteAccount(config.ring() * BYTES_A_PLACE);
        this.file = new LogFile(config, calendar, zone);
        this.complaints = new Complaints(log, name(config), counters, clock);
        this.writer = new LogWriter(ring, format, file, complaints, counters, rounds, this::giveBack);
        this.thread = new Thread(null, writer, "log-writer", 0, false);
        thread.setContextClassLoader(AccessLog.class.getClassLoader());
        thread.setDaemon(true); // where it waits for a disk for ever, the JVM must not
    }

    private static String name(AccessLogging config) {
        return config.file() == null ? "on the standard output" : config.file().toString();
    }

    /**
     * Opens the file and begins to write.
     *
     * @throws IOException naming the file, if it cannot be opened
     */
    public void start() throws IOException {
        file.check();
        thread.start();
    }

    @Override
    public boolean followsRequests() {
        return true;
    }

    /** What fails here, for want of memory perhaps, costs the line and is whoever tells us to hear of. */
    @Override
    public void ended(RequestSummary summary) {
        boolean kept = false;
        try {
            kept = keep(line(summary));
        } finally {
            if (!kept) {
                counters.increment(Counter.ACCESS_LOG_DROPPED);
            }
        }
    }

    private byte[] line(RequestSummary summary) {
        LineBuffer line = buffer.get();
        line.clear(); // of the line before
        format.write(summary, line);
        return line.copy();
    }

    /** Returns whether there was a place for it. */
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

    /** How many requests wait for their line. Any thread. */
    public long waiting() {
        return ring.waiting();
    }

    /** Goes over to the file that has the name now, after its former owner has been moved away. Does not wait for it. */
    public void reopen() {
        writer.wantReopen();
    }

    /** Says in the server's log if requests are missing in this one. */
    public void look() {
        complaints.look();
    }

    /** Writes what it was told before, and ends; a disk that takes nothing is waited for a few seconds only. */
    @Override
    public void close() {
        ring.close();
        try {
            thread.join(Saturated.millis(PATIENCE));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the caller goes on without patience
        }
        if (thread.isAlive()) {
            LOG.warn(
                    "The last requests are missing in the access log, whose disk takes nothing; {} have not even a line",
                    ring.waiting());
        }
    }
}
