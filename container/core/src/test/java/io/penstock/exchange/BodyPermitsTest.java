package io.penstock.exchange;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.reactor.Reactor;
import io.penstock.time.ManualClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * {@link BodyPermits} lets only a few large request bodies arrive at the same time. The other bodies wait, and get permits in order. A
 * permit expires, so a client that has stopped sending does not block the waiting bodies.
 */
final class BodyPermitsTest {
    private static final int CLIENTS = 3 * BodyPermits.MAX;

    private final ManualClock clock = new ManualClock();
    private final List<Integer> granted = new CopyOnWriteArrayList<>();
    private final List<BodyPermits.Permit> clients = new ArrayList<>();
    private final Reactor reactor;
    private final BodyPermits permits;

    BodyPermitsTest() throws IOException {
        reactor = new Reactor("reactor", clock, ConnectionEvents.NONE, new Counters(), 1024, Rounds.unwatched());
        permits = new BodyPermits(reactor);
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            clients.add(new BodyPermits.Permit(() -> granted.add(number)));
        }
    }

    @BeforeEach
    void start() {
        reactor.start();
    }

    @AfterEach
    void end() throws InterruptedException {
        reactor.stop();
        reactor.join();
    }

    private <T> T onReactor(Callable<T> action) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        reactor.execute(() -> {
            try {
                result.complete(action.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        return result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private boolean mayArrive(int client) throws Exception {
        return onReactor(() -> permits.mayArrive(clients.get(client)));
    }

    private void release(int client) throws Exception {
        onReactor(() -> {
            permits.release(clients.get(client));
            return null;
        });
    }

    private void requestAPermitForEachClient() throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            assertEquals(i < BodyPermits.MAX, mayArrive(i), "client " + i);
        }
    }

    private static List<Integer> numbers(int from, int to) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = from; i < to; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    @Test
    void aReleasedPermitIsGrantedToTheNextWaitingBody() throws Exception {
        requestAPermitForEachClient();
        assertEquals(List.of(), granted);
        for (int i = 0; i < CLIENTS; i++) {
            release(i);
        }
        assertEquals(numbers(BodyPermits.MAX, CLIENTS), granted);
        assertEquals(true, onReactor(() -> permits.mayArrive(new BodyPermits.Permit(() -> granted.add(-1)))));
    }

    @Test
    void aWaitingBodyMayArriveOnlyAfterItsPermitIsGranted() throws Exception {
        requestAPermitForEachClient();
        release(0);
        assertEquals(true, mayArrive(BodyPermits.MAX));
        assertEquals(false, mayArrive(BodyPermits.MAX + 1));
        assertEquals(List.of(BodyPermits.MAX), granted);
    }

    @Test
    void noPermitIsGrantedToAWaitingBodyThatHasEnded() throws Exception {
        requestAPermitForEachClient();
        release(BodyPermits.MAX);
        release(BodyPermits.MAX);
        release(0);
        release(0);
        assertEquals(List.of(BodyPermits.MAX + 1), granted);
    }

    /** No other event wakes the reactor, so the timer must let the permits expire. */
    @Test
    void permitsExpireIfTheClientsStopSending() throws Exception {
        requestAPermitForEachClient();
        clock.pass(BodyPermits.SLICE.plusMillis(1));
        await().atMost(PATIENCE).until(() -> granted.size() == BodyPermits.MAX);
        assertEquals(numbers(BodyPermits.MAX, 2 * BodyPermits.MAX), granted);
        clock.pass(BodyPermits.SLICE.plusMillis(1));
        await().atMost(PATIENCE).until(() -> granted.size() == 2 * BodyPermits.MAX);
        assertEquals(numbers(BodyPermits.MAX, CLIENTS), granted);
    }

    /**
     * The expired permits are released during the call of mayArrive() for the new body, or by a timer shortly before this call. In both
     * cases, the waiting body must get a permit first.
     */
    @Test
    void aWaitingBodyGetsAPermitBeforeANewBody() throws Exception {
        for (int i = 0; i < BodyPermits.MAX + 1; i++) {
            mayArrive(i);
        }
        clock.pass(BodyPermits.SLICE.plusMillis(1));
        await().atMost(PATIENCE).until(() -> onReactor(reactor::now) == clock.nanos());
        assertEquals(true, mayArrive(BodyPermits.MAX + 1));
        assertEquals(List.of(BodyPermits.MAX), granted);
    }

    @Test
    void aBodyMayStillArriveAfterItsPermitHasExpired() throws Exception {
        requestAPermitForEachClient();
        clock.pass(BodyPermits.SLICE.plusMillis(1));
        await().atMost(PATIENCE).until(() -> granted.size() == BodyPermits.MAX);
        assertEquals(true, mayArrive(0));
        release(0);
        assertEquals(BodyPermits.MAX, granted.size(), "the release of an expired permit granted another permit");
    }

    @Test
    void thePermitOfABodyThatArrivesFastLastsLongerButNotForEver() throws Exception {
        BodyPermits.Permit fast = new BodyPermits.Permit(() -> {});
        assertEquals(true, onReactor(() -> permits.mayArrive(fast)));
        for (int i = 0; i < 100; i++) {
            int number = i;
            boolean may = onReactor(() -> permits.mayArrive(new BodyPermits.Permit(() -> granted.add(number))));
            assertEquals(i < BodyPermits.MAX - 1, may);
        }
        int expected = 0;
        for (int slice = 1; slice <= BodyPermits.MAX_SLICES; slice++) {
            onReactor(() -> {
                permits.arrived(fast, BodyPermits.FAST);
                return null;
            });
            clock.pass(BodyPermits.SLICE.plusMillis(1));
            expected += slice < BodyPermits.MAX_SLICES ? BodyPermits.MAX - 1 : BodyPermits.MAX;
            int now = expected;
            await().atMost(PATIENCE).until(() -> granted.size() >= now);
            assertEquals(now, granted.size(), "slice " + slice);
        }
    }
}
