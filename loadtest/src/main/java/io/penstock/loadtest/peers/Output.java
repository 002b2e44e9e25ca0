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
 * Reads the output of a server's process. Some lines are answers to questions of {@link ServerProcess}. Of all other lines, the last
 * {@value #LINES_KEPT} are kept.
 *
 * <p>Thread: a daemon thread of this object reads the output. The methods can be called by any thread; {@link #answer}, by one thread at a
 * time.
 */
final class Output {
    private static final int LINES_KEPT = 20;
    /** Marks the end of the output. */
    private static final String END = "";

    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    @GuardedBy("last")
    private final Deque<String> last = new ArrayDeque<>();

    /** The first line that contains {@code OutOfMemoryError}; null if there is none. After this error, later lines are not useful. */
    @GuardedBy("last")
    private @Nullable String noMemory;

    private final InputStream in;
    // The number of questions whose answers have not been received. Answers arrive in the order of the questions.
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
     * Waits for the answer to the last question. Returns empty if the process has ended, or has not answered in time. A late answer is
     * ignored; it is not used as the answer to the next question.
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
                // The mark is added again, so that later calls also notice the end.
                answers.add(END);
                return Optional.empty();
            }
            stale--;
        }
        return Optional.ofNullable(line);
    }

    /** Whether the output has ended. */
    boolean hasEnded() {
        return answers.contains(END);
    }

    /** The last lines that were not answers, joined to one line. If the process has run out of memory, only the line about this error. */
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
