package io.penstock.work;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.memory.Rounds;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SchedulerTest {

    @Test
    void aRepeatedTaskRunsAgainAfterAnError() throws Exception {
        Scheduler scheduler = new Scheduler("", Rounds.unwatched());
        CountDownLatch runs = new CountDownLatch(3);
        scheduler.every(Duration.ofMillis(1), () -> {
            runs.countDown();
            throw new OutOfMemoryError("not really");
        });
        assertTrue(runs.await(60, TimeUnit.SECONDS));
        scheduler.stop();
    }
}
