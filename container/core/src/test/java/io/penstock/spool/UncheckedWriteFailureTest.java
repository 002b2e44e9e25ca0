package io.penstock.spool;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A write can fail with an exception or error that is not an IOException, for example an OutOfMemoryError. The spool must report such a
 * write as failed.
 */
class UncheckedWriteFailureTest {
    @TempDir
    Path folder;

    @Test
    void anUncheckedExceptionOfAWriteIsReportedToTheWriter() throws Exception {
        Spool spool = Spool.open(folder, 1_000, 1, 10, new Counters(), "", Rounds.unwatched());
        try {
            CountDownLatch held = new CountDownLatch(1);
            SpoolFile first = spool.create(null);
            first.append(bytes(1), failure -> await().until(() -> held.getCount() == 0)); // blocks the only thread
            BlockingQueue<Optional<IOException>> results = new LinkedBlockingQueue<>();
            SpoolFile second = spool.create(null);
            ByteBuffer[] spoiled = bytes(7);
            second.append(spoiled, failure -> results.add(Optional.ofNullable(failure)));
            spoiled[0] = null;
            held.countDown();
            Optional<IOException> failure = results.poll(60, TimeUnit.SECONDS);
            assertNotNull(failure, "the failure was not reported");
            assertEquals(
                    NullPointerException.class, failure.orElseThrow().getCause().getClass());
            first.close();
            second.close();
            await().until(() -> spool.used() == 0);
        } finally {
            spool.close();
        }
    }

    private static ByteBuffer[] bytes(int count) {
        return new ByteBuffer[] {ByteBuffer.allocate(count)};
    }
}
