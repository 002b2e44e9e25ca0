package io.penstock.exchange;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.reactor.Reactor;
import io.penstock.time.HandClock;
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
 * Only a few large bodies arrive at the same time. The other bodies follow in order, and do not wait for a client that has stopped sending.
 */
final class BodyTurnsTest {
    private static final int CLIENTS = 3 * BodyTurns.MOST;

    private final HandClock clock = new HandClock();
    private final List<Integer> called = new CopyOnWriteArrayList<>();
    private final List<BodyTurns.Turn> clients = new ArrayList<>();
    private final Reactor reactor;
    private final BodyTurns turns;

    BodyTurnsTest() throws IOException {
        reactor = new Reactor("reactor", clock, ConnectionEvents.NONE, new Counters(), 1024, Rounds.unwatched());
        turns = new BodyTurns(reactor);
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            clients.add(new BodyTurns.Turn(() -> called.add(number)));
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
        return onReactor(() -> turns.mayArrive(clients.get(client)));
    }

    private void endTurn(int client) throws Exception {
        onReactor(() -> {
            turns.end(clients.get(client));
            return null;
        });
    }

    private void allArrive() throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            assertEquals(i < BodyTurns.MOST, mayArrive(i), "client " + i);
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
    void eachThatIsWholeCallsTheNextInOrder() throws Exception {
        allArrive();
        assertEquals(List.of(), called);
        for (int i = 0; i < CLIENTS; i++) {
            endTurn(i);
        }
        assertEquals(numbers(BodyTurns.MOST, CLIENTS), called);
        assertEquals(true, onReactor(() -> turns.mayArrive(new BodyTurns.Turn(() -> called.add(-1)))));
    }

    @Test
    void whoHasBeenCalledMayArrive() throws Exception {
        allArrive();
        endTurn(0);
        assertEquals(true, mayArrive(BodyTurns.MOST));
        assertEquals(false, mayArrive(BodyTurns.MOST + 1));
        assertEquals(List.of(BodyTurns.MOST), called);
    }

    @Test
    void whoGoesWhileWaitingIsNotCalled() throws Exception {
        allArrive();
        endTurn(BodyTurns.MOST);
        endTurn(BodyTurns.MOST);
        endTurn(0);
        endTurn(0);
        assertEquals(List.of(BodyTurns.MOST + 1), called);
    }

    /** The reactor has no other events, so the timer must end the turns. */
    @Test
    void silentClientsLoseTheirTurns() throws Exception {
        allArrive();
        clock.pass(BodyTurns.LONGEST.plusMillis(1));
        await().atMost(PATIENCE).until(() -> called.size() == BodyTurns.MOST);
        assertEquals(numbers(BodyTurns.MOST, 2 * BodyTurns.MOST), called);
        clock.pass(BodyTurns.LONGEST.plusMillis(1));
        await().atMost(PATIENCE).until(() -> called.size() == 2 * BodyTurns.MOST);
        assertEquals(numbers(BodyTurns.MOST, CLIENTS), called);
    }

    /** The turns end either in the call of mayArrive() for the next body, or by the timer just before that call. */
    @Test
    void whoWaitsIsCalledBeforeANewcomer() throws Exception {
        for (int i = 0; i < BodyTurns.MOST + 1; i++) {
            mayArrive(i);
        }
        clock.pass(BodyTurns.LONGEST.plusMillis(1));
        await().atMost(PATIENCE).until(() -> onReactor(reactor::now) == clock.nanos());
        assertEquals(true, mayArrive(BodyTurns.MOST + 1));
        assertEquals(List.of(BodyTurns.MOST), called);
    }

    @Test
    void aBodyWhoseTurnIsOverArrivesOn() throws Exception {
        allArrive();
        clock.pass(BodyTurns.LONGEST.plusMillis(1));
        await().atMost(PATIENCE).until(() -> called.size() == BodyTurns.MOST);
        assertEquals(true, mayArrive(0));
        endTurn(0);
        assertEquals(BodyTurns.MOST, called.size(), "its turn was over before");
    }
}
