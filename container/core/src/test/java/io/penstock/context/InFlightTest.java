package io.penstock.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * Tests the count of the running requests of an application. An undeployment closes the counter. The close is complete when the last
 * running request has ended.
 */
final class InFlightTest {
    private final InFlight inFlight = new InFlight();

    private boolean closeIsComplete() {
        return inFlight.close().toCompletableFuture().isDone();
    }

    @Test
    void theCloseIsCompleteAtOnceIfNoRequestRuns() {
        assertTrue(closeIsComplete());
    }

    @Test
    void theEndOfTheLastRequestCompletesTheClose() {
        InFlight.Visit first = inFlight.enter();
        InFlight.Visit second = inFlight.enter();
        CompletableFuture<Void> empty = inFlight.close().toCompletableFuture();
        first.end();
        first.end();
        assertFalse(empty.isDone());
        assertEquals(1, inFlight.count());
        second.end();
        assertTrue(empty.isDone());
    }

    @Test
    void noRequestIsAcceptedAfterTheClose() {
        InFlight.Visit inside = inFlight.enter();
        assertFalse(closeIsComplete());
        assertNull(inFlight.enter());
        inside.end();
        assertNull(inFlight.enter());
        assertTrue(closeIsComplete());
    }

    @Test
    void runningRequestsAreNotifiedOfTheUndeployTimeout() {
        List<String> asked = new ArrayList<>();
        InFlight.Visit runs = inFlight.enter();
        InFlight.Visit stays = inFlight.enter();
        InFlight.Visit stayed = inFlight.enter();
        assertNotNull(runs);
        stays.onUndeployTimeout(() -> asked.add("stays"));
        stayed.onUndeployTimeout(() -> asked.add("stayed"));
        stayed.end();
        inFlight.runTimeoutActions();
        assertEquals(List.of("stays"), asked);
    }

    /** A call that has run longer than the time-out may then begin asynchronous processing. */
    @Test
    void aRequestThatContinuesWithoutAThreadAfterTheUndeployTimeoutIsNotifiedToo() {
        List<String> asked = new ArrayList<>();
        InFlight.Visit late = inFlight.enter();
        assertNotNull(late);
        assertFalse(closeIsComplete());
        inFlight.runTimeoutActions();
        late.onUndeployTimeout(() -> asked.add("late"));
        assertEquals(List.of("late"), asked);
        late.end();
        assertTrue(closeIsComplete());
    }

    @Test
    void runningRequestsAreNotifiedOfTheUndeploymentAtTheClose() {
        List<String> asked = new ArrayList<>();
        InFlight.Visit ends = inFlight.enter();
        InFlight.Visit lives = inFlight.enter();
        InFlight.Visit begins = inFlight.enter();
        ends.onUndeploy(() -> asked.add("ends"));
        lives.onUndeploy(() -> asked.add("lives"));
        ends.end();
        assertEquals(List.of(), asked);
        assertFalse(closeIsComplete());
        assertEquals(List.of("lives"), asked);
        begins.onUndeploy(() -> asked.add("begins"));
        assertEquals(List.of("lives", "begins"), asked);
        lives.end();
        begins.end();
        assertTrue(closeIsComplete());
    }

    @Test
    void theCloseIsNotCompleteBeforeTheEndOfAConcurrentlyStartedRequest() throws Exception {
        for (int round = 0; round < 2000; round++) {
            InFlight raced = new InFlight();
            CountDownLatch start = new CountDownLatch(1);
            CompletableFuture<InFlight.Visit> entered = CompletableFuture.supplyAsync(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                return raced.enter();
            });
            start.countDown();
            CompletableFuture<Void> empty = raced.close().toCompletableFuture();
            InFlight.Visit visit = entered.get();
            if (visit != null) {
                assertFalse(empty.isDone());
                visit.end();
            }
            assertTrue(empty.isDone());
        }
    }
}
