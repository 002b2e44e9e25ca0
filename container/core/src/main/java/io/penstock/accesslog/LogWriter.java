package io.penstock.accesslog;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Takes lines from the ring and writes them, many at once if many wait. It retries a failed write until the disk takes the bytes. Meanwhile
 * the ring fills, and further lines are dropped and counted when they are offered.
 *
 * <p><p> Thread: {@code log-writer}, except {@link #wantReopen}. Owns: the file, while this runs.
 *
 * <pre>
 *   (ring: something) --> lines --(64 KB, or the ring is empty)--> written --> rest 10 ms --> ...
 *   (ring: nothing)   --> asleep until somebody offers
 *   (ring: closed and empty) --> over
 * </pre>
 */
final class LogWriter implements Runnable {
    private static final int BATCH = 64 << 10;
    private static final int ROOM = 80 << 10;

    /** Because of this rest, a busy server wakes the thread a hundred times a second instead of once for each request. */
    private static final Duration REST = Duration.ofMillis(10);

    private static final Duration UNTIL_NEXT_TRY = Duration.ofMillis(250);

    private final LogRing<byte[]> ring;
    private final LineFormat format;
    private final LogFile file;
    private final WriteFailureLog failures;
    private final Counters counters;
    private final Memory memory;
    private final Rounds rounds;
    private final AtomicBoolean reopenWanted = new AtomicBoolean();

    private final LineBuffer lines = new LineBuffer(ROOM);
    private int inLines;
    private @Nullable Throwable failure; // not logged yet

    /** Accounts for the memory of the lines in the ring. */
    interface Memory {

        void giveBack(byte[] line);
    }

    LogWriter(
            LogRing<byte[]> ring,
            LineFormat format,
            LogFile file,
            WriteFailureLog failures,
            Counters counters,
            Rounds rounds,
            Memory memory) {
        this.rounds = rounds;
        this.ring = ring;
        this.format = format;
        this.file = file;
        this.failures = failures;
        this.counters = counters;
        this.memory = memory;
    }

    /** Any thread; does not wait. */
    void wantReopen() {
        reopenWanted.set(true);
        ring.wake(); // the writer: it must open the file again
    }

    @Override
    public void run() {
        ring.attend();
        try {
            rounds.repeat("A round of the access log failed; the log goes on", this::goesOn, this::contained);
        } finally {
            end();
        }
    }

    private boolean goesOn() {
        return !ring.isClosed() || ring.waiting() > 0;
    }

    /**
     * If this round fails, for example with an {@link OutOfMemoryError}, lines are lost, but the log goes on. The failure is logged in the
     * next round, when memory may be free again.
     */
    private void contained() {
        try {
            Throwable former = failure;
            failure = null;
            if (former != null) {
                failures.failed(former);
            }
            round();
        } catch (RuntimeException | Error e) {
            failure = e;
            rounds.memory().met(e);
            lost(inLines);
            inLines = 0;
            lines.cut(0);
            ring.rest(UNTIL_NEXT_TRY);
        }
    }

    private void round() {
        boolean wrote = writeAll();
        boolean goesOn = lookAround();
        if (wrote || goesOn) {
            ring.rest(REST);
        } else {
            ring.await();
        }
    }

    /** Writes until the ring is empty; returns whether there were lines. */
    private boolean writeAll() {
        byte[] line = ring.poll();
        boolean any = line != null;
        while (line != null) {
            add(line);
            if (lines.length() >= BATCH) {
                flush();
            }
            line = ring.poll();
        }
        flush();
        return any;
    }

    private void add(byte[] line) {
        inLines++; // from here on, the line is either written or counted as lost
        memory.giveBack(line);
        if (lines.length() == 0) {
            turnOver();
            lines.plain(opening());
        }
        lines.plain(line);
    }

    private void flush() {
        if (inLines > 0) {
            write(lines.content());
        }
        lines.clear();
        inLines = 0;
    }

    private void turnOver() {
        try {
            file.turnOver();
        } catch (IOException e) {
            failures.failed(e); // the current file stays in use
        }
    }

    /** The text that must come before the next line. */
    private String opening() {
        return switch (file.end()) {
            case NOTHING -> format.preamble();
            case WHOLE_LINE -> "";
            case PART_OF_LINE -> "\n";
        };
    }

    /** Returns when all bytes are written, or when the log is closed and its disk takes no bytes. */
    private void write(ByteBuffer content) {
        ByteBuffer bytes = content;
        while (bytes.hasRemaining()) {
            try {
                file.write(bytes);
            } catch (IOException e) {
                failures.failed(e);
                if (ring.isClosed()) {
                    lost(inLines);
                    return;
                }
                ring.rest(UNTIL_NEXT_TRY);
                if (reopenWanted.getAndSet(false)) {
                    reopen();
                    bytes = fromLineStart(bytes);
                }
            }
        }
        failures.succeeded();
    }

    /** The bytes from the beginning of the unfinished line, since the whole line may have to go to another file. */
    private ByteBuffer fromLineStart(ByteBuffer bytes) {
        int start = bytes.position();
        while (start > 0 && bytes.get(start - 1) != '\n') {
            start--;
        }
        byte[] opening = start == 0 ? new byte[0] : opening().getBytes(StandardCharsets.US_ASCII);
        bytes.position(start);
        return ByteBuffer.allocate(opening.length + bytes.remaining())
                .put(opening)
                .put(bytes)
                .flip();
    }

    /** Reopens, archives and compresses as needed; returns whether there is more to do. */
    private boolean lookAround() {
        if (reopenWanted.getAndSet(false)) {
            reopen();
        }
        try {
            return file.tidy();
        } catch (IOException e) {
            failures.failed(e);
            return false;
        }
    }

    private void reopen() {
        try {
            file.reopen();
        } catch (IOException e) {
            failures.failed(e); // the current file stays open
        }
    }

    private void lost(long requests) {
        for (long i = 0; i < requests; i++) {
            counters.increment(Counter.ACCESS_LOG_DROPPED);
        }
    }

    private void end() {
        long left = 0;
        for (byte[] line = ring.poll(); line != null; line = ring.poll()) {
            left++;
        }
        lost(left);
        try {
            file.close();
        } catch (IOException e) {
            failures.failed(e);
        }
    }
}
