package io.penstock.experiments.io.appends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.experiments.io.appends.AppendingProcess.Ending;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the two ways to close an appender, which writes records to a file. {@code closeAndWait} waits until all records are written.
 * {@code closePlainly} does not wait.
 */
@Timeout(120)
class AppendWayTest {
    private static final int COUNT = 5000;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(AppendWay.class)
    void everyAcceptedRecordIsWrittenByACloseThatWaits(AppendWay way) throws Exception {
        Path file = directory.resolve("records");
        Appender appender = way.open(file);
        for (int i = 0; i < COUNT; i++) {
            appender.append();
        }
        assertEquals(COUNT, appender.accepted());
        appender.closeAndWait();
        assertEquals(COUNT, Records.present(file, COUNT));
    }

    @Test
    void aCloseWithoutWaitingLosesQueuedRecords() throws Exception {
        Path file = directory.resolve("records");
        ExecutorService pool = Executors.newFixedThreadPool(1);
        CountDownLatch gate = new CountDownLatch(1);
        Appender appender = new AsynchronousAppender(channel(pool), pool);
        appender.append();
        pool.submit(() -> {
            gate.await();
            return null;
        });
        appender.append();
        appender.append();
        appender.closePlainly();
        gate.countDown();
        pool.shutdown();
        assertTrue(pool.awaitTermination(60, TimeUnit.SECONDS));
        // The first record may have been written before the file was closed. The other two records are lost, since they
        // were queued behind a blocked task.
        assertTrue(Records.present(file, 3) <= 1);
    }

    @Test
    void aFailedWriteIsReportedByACloseThatWaits() throws Exception {
        AsynchronousFileChannel channel = channel(null);
        Appender failing = new AsynchronousAppender(channel, null);
        channel.close();
        failing.append();
        assertThrows(IOException.class, failing::closeAndWait);
    }

    private AsynchronousFileChannel channel(ExecutorService pool) throws IOException {
        return AsynchronousFileChannel.open(
                directory.resolve("records"), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), pool);
    }

    @ParameterizedTest
    @EnumSource(Ending.class)
    void aChildProcessReportsItsNumberOfRecordsAndTheFileIsDeleted(Ending ending) throws Exception {
        AppendOutcome outcome = new AppendRun(AppendWay.BOUNDED_POOL, ending, COUNT, 100).in(directory);
        assertEquals(COUNT, outcome.accepted());
        assertTrue(outcome.perSecond() > 0);
        assertTrue(outcome.threads() >= 5);
        assertTrue(ending == Ending.CLOSE_PLAINLY || outcome.lost() == 0);
        try (Stream<Path> left = Files.list(directory)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void theExceptionMessageContainsTheErrorOfAFailedProcess() throws IOException {
        assertEquals(
                new AppendOutcome(10, 2_000_000_000, 3, 0),
                AppendOutcome.parse(List.of("warning", "APPENDED 10 2000000000 3")));
        IOException failed = assertThrows(
                IOException.class,
                () -> AppendOutcome.parse(List.of("warning", "java.lang.OutOfMemoryError: unable to create thread")));
        assertEquals(
                "the appending process failed: java.lang.OutOfMemoryError: unable to create thread",
                failed.getMessage());
    }

    @Test
    void speedsAreRelativeToTheConventionalAppenderAndMissingRecordsAreReported() {
        var findings = AppendsFindings.of(
                1000,
                Map.of(
                        AppendWay.CONVENTIONAL, List.of(new AppendOutcome(1000, 1_000_000, 0, 1000)),
                        AppendWay.SINGLE_THREAD, List.of(new AppendOutcome(1000, 2_000_000, 1, 990))),
                Map.of(
                        AppendWay.SINGLE_THREAD,
                        List.of(new AppendOutcome(1000, 1, 1, 400), new AppendOutcome(1000, 1, 1, 200))));
        assertEquals(
                List.of(
                        "asynchronous, one thread, no bound",
                        "500,000",
                        "500,000–500,000",
                        "0.50×",
                        "1",
                        "10",
                        "700",
                        "600–800"),
                findings.table().rows().get(3));
        assertEquals(
                List.of("asynchronous, one thread, no bound: 10 records missing after a close that waits"),
                findings.broken());
    }
}
