package io.penstock.accesslog;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.penstock.memory.Rounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Takes lines from the {@link LogRing ring} and writes them to the file. If many lines wait, one write contains many of them. The writer
 * retries a failed write until it succeeds. During a failure, the ring fills. While the ring is full, further lines are dropped and
 * counted.
 *
 * <p>Thread: {@code log-writer}; {@link #wantReopen}: any. Owns: the log file, while the thread runs.
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

    /**
     * The pause between writes. Because of the pause, the writer of a busy server wakes up a hundred times per second, and not once for
     * each request.
     */
    private static final Duration REST = Duration.ofMillis(10);

    private static final Duration UNTIL_NEXT_TRY = Duration.ofMillis(250);

    private final LogRing<byte[]> ring;
    private final LineFormat format;
    private final LogFile file;
    private final WriteFailureLog failures;
    private final Memory memory;
    private final Rounds rounds;
    private final AtomicBoolean reopenWanted = new AtomicBoolean();

    private final LineBuffer lines = new LineBuffer(ROOM);
    private int inLines;
    private int openingLength; // the bytes of the opening() before the first line
    private @Nullable Throwable failure; // a failure of the last round; not logged yet

    /** Counts the memory of the lines in the ring. */
    interface Memory {

        void giveBack(byte[] line);
    }

    LogWriter(
            LogRing<byte[]> ring,
            LineFormat format,
            LogFile file,
            WriteFailureLog failures,
            Rounds rounds,
            Memory memory) {
        this.rounds = rounds;
        this.ring = ring;
        this.format = format;
        this.file = file;
        this.failures = failures;
        this.memory = memory;
    }

    /** Makes the writer reopen the file. Does not wait for the writer. Thread: any. */
    void wantReopen() {
        reopenWanted.set(true);
        // The writer must open the file again.
        ring.wake();
    }

    @Override
    public void run() {
        ring.registerWriter();
        try {
            rounds.repeat(
                    "The thread of the access log failed unexpectedly; logging continues",
                    this::isRunning,
                    this::roundOrLoss);
        } finally {
            end();
        }
    }

    private boolean isRunning() {
        return !ring.isClosed() || ring.waiting() > 0;
    }

    /**
     * Runs one round: writes the waiting lines and then pauses. If the round fails, for example with an {@link OutOfMemoryError}, its lines
     * are lost, and logging continues. The next round logs the failure. By that time, memory might be free again.
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

    /** Writes lines until the ring is empty. Returns whether it has written lines. */
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
        // From here on, the line is written, or it is counted as lost.
        inLines++;
        memory.giveBack(line);
        if (lines.length() == 0) {
            rotateIfDue();
            String opening = opening();
            lines.plain(opening);
            openingLength = opening.length();
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

    private void rotateIfDue() {
        try {
            file.rotateIfDue();
        } catch (IOException e) {
            // The writer continues with the current file.
            failures.failed(e);
        }
    }

    /** The text that must be written before the next line. */
    private String opening() {
        return switch (file.end()) {
            case NOTHING -> format.preamble();
            case WHOLE_LINE -> "";
            case PART_OF_LINE -> "\n";
        };
    }

    /** Writes all bytes. Returns earlier only if the log is closed and a write fails. */
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
                if (reopenWanted.getAndSet(false) && reopen()) {
                    bytes = fromLineStart(bytes);
                }
            }
        }
        failures.succeeded();
    }

    /**
     * The unwritten bytes, and the written bytes of the same line. The whole line must be in the new file. The text before the first line
     * was that of the former file.
     */
    private ByteBuffer fromLineStart(ByteBuffer bytes) {
        int start = Math.max(bytes.position(), openingLength);
        while (start > openingLength && bytes.get(start - 1) != '\n') {
            start--;
        }
        byte[] opening = opening().getBytes(StandardCharsets.US_ASCII);
        openingLength = opening.length;
        bytes.position(start);
        return ByteBuffer.allocate(opening.length + bytes.remaining())
                .put(opening)
                .put(bytes)
                .flip();
    }

    /** Reopens the file if necessary, and compresses a slice of an archived file. Returns whether more slices must be compressed. */
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

    /** Returns whether the file was opened. If not, the current file stays open. */
    @CanIgnoreReturnValue
    private boolean reopen() {
        try {
            file.reopen();
            return true;
        } catch (IOException e) {
            failures.failed(e);
            return false;
        }
    }

    private void lost(long requests) {
        for (long i = 0; i < requests; i++) {
            failures.lost();
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
