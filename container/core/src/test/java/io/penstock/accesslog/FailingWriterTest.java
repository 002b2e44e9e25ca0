package io.penstock.accesslog;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.RecordedLog;
import io.penstock.limits.AccessLogging;
import io.penstock.limits.AccessLogging.Rotate;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What fails while a line is made costs that line; the log goes on. */
class FailingWriterTest {

    @TempDir
    Path folder;

    /** Writes targets; those that name a failure fail. */
    private static final class Failing implements LineFormat {
        private final Supplier<Error> failure;

        Failing(Supplier<Error> failure) {
            this.failure = failure;
        }

        @Override
        public List<String> fields() {
            return List.of();
        }

        @Override
        public void write(Entry entry, LineBuffer out) {
            out.plain(entry.request().target());
            if (entry.request().target().startsWith("/fail")) {
                throw failure.get();
            }
            out.plain('\n');
        }
    }

    private void assertGoesOn(Supplier<Error> failure) throws Exception {
        Path file = folder.resolve("access.log");
        AccessLogging config = new AccessLogging(AccessLogging.Where.FILE, file, "x-id", 16, 0, Rotate.NEVER, 0);
        RecordedLog said = new RecordedLog();
        Counters counters = new Counters();
        LogRing<Entry> ring = new LogRing<>(config.ring());
        Failing format = new Failing(failure);
        LogWriter writer = new LogWriter(
                ring,
                format,
                new LogFile(config, InstantSource.system(), ZoneOffset.UTC),
                new Complaints(said, "it", counters, System::nanoTime),
                counters,
                entry -> {});
        Thread thread = new Thread(writer, "log-writer");
        thread.start();
        for (String target : List.of("/a", "/fail", "/b", "/fail/again")) {
            ring.offer(Entry.of(Ended.get(target).summary(), format.fields()));
        }
        await().atMost(LogSite.PATIENCE).until(() -> said.lines().size() == 1);
        ring.offer(Entry.of(Ended.get("/c").summary(), format.fields()));
        ring.close();
        thread.join(LogSite.PATIENCE.toMillis());
        assertEquals(List.of("/a", "/b", "/c"), LogSite.lines(file));
        assertEquals(2, counters.value(Counter.ACCESS_LOG_DROPPED));
    }

    @Test
    void wantOfMemory() throws Exception {
        assertGoesOn(() -> new OutOfMemoryError("as if"));
    }

    @Test
    void anythingElse() throws Exception {
        assertGoesOn(() -> new AssertionError("as if"));
    }
}
