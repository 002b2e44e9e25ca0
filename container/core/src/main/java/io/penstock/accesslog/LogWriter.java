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
 * Takes lines from the ring and writes them, many in one write if many wait. Retries a failed write until it succeeds. Meanwhile the ring
 * fills; when it is full, further lines are dropped and counted.
 *
 * <p>Thread: {@code log-writer}; {@link #wantReopen}: any. Owns: the file, while the thread runs.
 *
 * <pre>
 *   ring has lines        --> collect (up to 64 KB, or until the ring is empty) --> write --> rest 10 ms --> ...
 *   ring is empty         --> sleep until a line is offered
 *   ring closed and empty --> end
 * </pre>
 */
final class LogWriter implements Runnable {
    private static final int BATCH = 64 << 10;
    private static final int ROOM = 80 << 10;

    /** The pause between writes. A busy server wakes the writer about a hundred times a second, not once for each request. */
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

    /** Asks the writer to reopen the file. Any thread; does not wait. */
    void wantReopen() {
        reopenWanted.set(true);
        ring.wake(); // wakes the writer, which must open the file again
    }

    @Override
    public void run() {
        ring.attend();
        try {
            rounds.repeat("A round of the access log failed; logging continues", this::isRunning, this::roundOrLoss);
        } finally {
            end();
        }
    }

    private boolean isRunning() {
        return !ring.isClosed() || ring.waiting() > 0;
    }

    /**
     * Runs a round. If it fails, for example with an {@link OutOfMemoryError}, its lines are lost, and logging continues. The next round
     * logs the failure, when memory may be free again.
     */
    private void roundOrLoss() {
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
        boolean moreToDo = maintainFile();
        if (wrote || moreToDo) {
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

    /** Returns when all bytes are written, or when the log is closed and a write fails. */
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

    /** The unwritten bytes, from the beginning of their first line, since the whole line must go to the new file. */
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

    /** Reopens and compresses as needed. Returns whether more slices are left to compress. */
    private boolean maintainFile() {
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
