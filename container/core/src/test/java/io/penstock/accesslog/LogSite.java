package io.penstock.accesslog;

import static org.awaitility.Awaitility.await;

import io.penstock.PromptWaits;
import io.penstock.RecordedLog;
import io.penstock.limits.AccessLogging;
import io.penstock.limits.AccessLogging.Rotate;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** An access log for tests, with recorded log messages, with counters, and with a clock that the test sets. */
final class LogSite implements AutoCloseable {
    static final Duration PATIENCE = PromptWaits.PATIENCE;

    final RecordedLog said = new RecordedLog();
    final Counters counters = new Counters();
    final AtomicLong nanos = new AtomicLong();
    final AtomicReference<Instant> now = new AtomicReference<>(Ended.BEGAN);
    final Path file;
    final AccessLog log;

    LogSite(Path file, String format, int ring) throws IOException {
        this(file, format, ring, 0, Rotate.NEVER, 0);
    }

    LogSite(Path file, String format, int ring, long rotateSize, Rotate rotate, int keep) throws IOException {
        this.file = file;
        AccessLogging config = new AccessLogging(
                AccessLogging.Where.FILE, file, format, ring, rotateSize, rotate, keep, List.of(), List.of(), "");
        log = new AccessLog(config, counters, Rounds.unwatched(), said, nanos::get, now::get, ZoneOffset.UTC);
        log.start();
    }

    /** Logs a GET request for {@code target}. */
    void tell(String target) {
        log.ended(Ended.get(target).summary());
    }

    long dropped() {
        return counters.value(Counter.ACCESS_LOG_DROPPED);
    }

    /** The current lines of a log file. The list is empty if the file does not exist, for example during a rotation. */
    static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file, StandardCharsets.US_ASCII);
        } catch (NoSuchFileException putAside) {
            return List.of();
        }
    }

    void awaitLines(int count) {
        await().until(() -> lines(file).size() >= count);
    }

    /** The warnings about the access log. */
    List<String> warnings() {
        return said.lines().stream().filter(line -> line.startsWith("WARN")).toList();
    }

    @Override
    public void close() {
        log.close();
    }
}
