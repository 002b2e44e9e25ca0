package io.penstock.loadtest.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server that stalls for a second. A load that waits with it sends nothing meanwhile, and so hardly sees the stall
 * (coordinated omission); a load that counts from the time at which each request was due does.
 */
@Timeout(60)
class StallTest {
    private static final int STALLED_FROM = 101;
    private static final long SECOND = 1000;

    /** Nobody counts this down: waiting for it with a limit is the stall. */
    private final CountDownLatch never = new CountDownLatch(1);

    private long stallEnds;

    /** All requests from one on stall to the end of the same second. */
    private synchronized long stallLeft(int number) {
        long now = System.nanoTime();
        if (number == STALLED_FROM) {
            stallEnds = now + TimeUnit.SECONDS.toNanos(1);
        }
        return number < STALLED_FROM ? 0 : Math.max(0, stallEnds - now);
    }

    private ScriptedServer server() throws Exception {
        return new ScriptedServer((number, connection) -> {
            long left = stallLeft(number);
            if (left > 0) {
                assertEquals(false, never.await(left, TimeUnit.NANOSECONDS));
            }
            ScriptedServer.answer(connection, ScriptedServer.OK);
        });
    }

    @Test
    void anOpenLoopShowsItInAllRequestsThatWereDueMeanwhile() throws Exception {
        try (ScriptedServer server = server();
                ClientLoop loop = ClientLoop.start(4)) {
            Request request = Request.get(URI.create(server.url()));
            LoadResult result =
                    new OpenLoop(loop, OpenPlan.ofRequests(request, 200, 600).withMaxConnections(4)).await();
            assertEquals(600, result.answered(), result.firstTrouble());
            // 200 of 600 were due in that second, and waited for half of it on average.
            assertTrue(result.millis(99) > 0.9 * SECOND, "p99 " + result.millis(99));
            assertTrue(result.millis(83) > 0.4 * SECOND, "p83 " + result.millis(83));
            assertTrue(result.millis(50) < 0.4 * SECOND, "p50 " + result.millis(50));
        }
    }

    @Test
    void aClosedLoopShowsItOnceForEachUser() throws Exception {
        try (ScriptedServer server = server();
                ClientLoop loop = ClientLoop.start(4)) {
            Request request = Request.get(URI.create(server.url()));
            ClosedPlan plan = ClosedPlan.of(request, 4, Duration.ofMillis(2500)).withThink(Duration.ofMillis(5));
            LoadResult result = new ClosedLoop(loop, plan).await();
            long stalled = result.latency().getTotalCount()
                    - result.latency().getCountBetweenValues(0, TimeUnit.MILLISECONDS.toNanos(800));
            assertEquals(4, stalled);
        }
    }
}
