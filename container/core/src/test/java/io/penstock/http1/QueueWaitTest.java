package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.RequestObserver;
import io.penstock.events.ConnectionEvents;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.http.FieldList;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.Version;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Reactor;
import io.penstock.work.RequestQueue.Offered;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each request of a client has its own time in the queue, by a clock that the test moves. */
final class QueueWaitTest {
    private static final int AGE = 400;

    private final AtomicLong now = new AtomicLong();
    private final SegmentPool pool = new SegmentPool(1024, 100 * 1024);
    private final House house = new House(pool, new WireConfig().queueAge(AGE));
    private final HandLink link = new HandLink();
    private final List<Http1Exchange> aged = new ArrayList<>();
    private final QueueWait wait = new QueueWait(house.resources(), link, (exchange, limit) -> aged.add(exchange));
    private Http1Connection connection;

    @BeforeEach
    void open() throws IOException {
        link.reactor = new Reactor(
                "reactor-by-hand", now::get, ConnectionEvents.NONE, new Counters(), 1024, Rounds.unwatched());
        UnfinishedBodies unfinished = new UnfinishedBodies(link.reactor, pool, 4096, asking -> {});
        connection = new Http1Connection(new Http1Protocol(house.resources()), link, unfinished, "c1");
    }

    @AfterEach
    void close() throws Exception {
        link.reactor.stop();
        house.close();
    }

    private Http1Exchange request(int number) {
        RequestHead head =
                new RequestHead("GET", RequestTarget.origin("/"), Version.HTTP_1_1, new FieldList().add("Host", "x"));
        return new Http1Exchange(connection, number, head, "/", null, 0, RequestObserver.NONE);
    }

    private void elapse(int millis) {
        now.addAndGet(Duration.ofMillis(millis).toNanos());
        link.reactor.wheel().advance(now.get());
    }

    @Test
    void requestThatNobodyTakesIsAgedAtItsTime() {
        Http1Exchange request = request(1);
        assertEquals(Offered.WAITS, wait.offer(request));
        elapse(AGE - 20);
        assertEquals(List.of(), aged);
        elapse(40);
        assertEquals(List.of(request), aged);
        assertEquals(0, house.queue.size());
    }

    /** The time of the one before passes while the reactor has not heard yet that the next waits. */
    @Test
    void requestThatWaitsBehindAnotherOfItsClientHasItsOwnTime() {
        Http1Exchange first = request(1);
        Http1Exchange next = request(2);
        assertEquals(Offered.WAITS, wait.offer(first));
        elapse(AGE - 20);
        assertTrue(house.queue.withdraw(first), "as a worker would take it");
        wait.over(first);
        wait.giveWay(next);
        elapse(40);
        assertEquals(List.of(), aged, "it has waited for 40 ms");
        elapse(AGE - 60);
        assertEquals(List.of(), aged);
        elapse(40);
        assertEquals(List.of(next), aged);
        assertEquals(0, house.queue.size());
    }
}
