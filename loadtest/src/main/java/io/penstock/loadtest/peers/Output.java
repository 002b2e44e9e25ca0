package io.penstock.loadtest.peers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The output of a server's process: answers to the harness, and other lines, of which the last are kept.
 *
 * <p>Thread: a daemon of its own reads; all methods any, {@link #answer} one at a time.
 */
final class Output {
    private static final int LINES_KEPT = 20;
    /** Marks the end of the output. */
    private static final String END = "";

    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    @GuardedBy("last")
    private final Deque<String> last = new ArrayDeque<>();

    /** The first line that reports a lack of memory: later lines explain nothing. */
    @GuardedBy("last")
    private @Nullable String noMemory;

    private final InputStream in;
    // The number of questions whose answers have not come. A late answer comes before those to later questions.
    private int stale;

    private Output(InputStream in) {
        this.in = in;
    }

    static Output of(InputStream in, String name) {
        Output output = new Output(in);
        Thread reader = new Thread(output::read, "output of " + name);
        reader.setDaemon(true);
        reader.start();
        return output;
    }

    /**
     * Waits for the answer to the last question; empty if the process has ended, or has not answered in time. An answer that
     * comes too late is dropped, and not used for the next question.
     */
    Optional<String> answer(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        // The question counts as unanswered until its answer has been read.
        stale++;
        String line = null;
        while (stale > 0) {
            line = answers.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                return Optional.empty();
            }
            if (END.equals(line)) {
                // Later questions must find the end, too.
                answers.add(END);
                return Optional.empty();
            }
            stale--;
        }
        return Optional.ofNullable(line);
    }

    /** Whether there is nothing more to come. */
    boolean hasEnded() {
        return answers.contains(END);
    }

    /** The last lines that were no answers, joined to one; only the line about memory if it has run out. */
    String lastLines() {
        synchronized (last) {
            if (noMemory != null) {
                return "it has run out of memory: " + noMemory;
            }
            return last.isEmpty() ? "it has printed nothing" : "its last lines: " + String.join(" | ", last);
        }
    }

    private void read() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith(ServerProcess.READY) || line.startsWith(Stats.START)) {
                    answers.add(line); // Wakes the thread in answer().
                } else if (!line.isBlank()) {
                    keep(line);
                }
            }
        } catch (IOException ended) {
            keep("(" + ended.getMessage() + ")");
        } finally {
            answers.add(END); // Wakes the thread in answer(): no answer will come.
        }
    }

    private void keep(String line) {
        synchronized (last) {
            if (noMemory == null && line.contains("OutOfMemoryError")) {
                noMemory = line.strip();
            }
            if (last.size() == LINES_KEPT) {
                last.removeFirst();
            }
            last.addLast(line.strip());
        }
    }
}
