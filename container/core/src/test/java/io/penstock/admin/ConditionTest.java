package io.penstock.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.admin.Condition.Part;
import io.penstock.admin.Condition.Tone;
import io.penstock.limits.Gauge;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The sentence at the top names what a newcomer has to know first. */
class ConditionTest {
    private final Samples samples = new Samples();

    private static StackTraceElement frame(String type, String method) {
        return new StackTraceElement(type, method, "A.java", 1);
    }

    private void assertSays(Tone tone, String sentence) {
        Condition condition = Condition.of(samples.sample());
        assertEquals(sentence, condition.sentence());
        assertEquals(tone, condition.tone());
    }

    private void assertPointsAt(Part... stations) {
        assertEquals(Set.of(stations), Condition.of(samples.sample()).at());
    }

    @Test
    void idle() {
        assertSays(Tone.CALM, "Quiet: nobody is connected.");
        samples.with(Gauge.CONNECTIONS, 12).with(Gauge.CONNECTIONS_IDLE, 12);
        assertSays(Tone.CALM, "Quiet: 12 clients are connected, and hardly anything is asked for.");
        samples.with(Gauge.WORKERS_BUSY, 3);
        assertSays(Tone.CALM, "12 clients are connected; 3 requests are with a worker.");
    }

    @Test
    void nobodyIsCalledQuietWhoseRequestsAreNotMeasured() {
        samples.with(Gauge.CONNECTIONS, 12).notMeasured();
        assertSays(
                Tone.CALM, "12 clients are connected. How much they ask for is not known: requests are not measured.");
    }

    @Test
    void certificates() {
        samples.with(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP, Duration.ofDays(14).toMillis());
        assertSays(Tone.CALM, "Quiet: nobody is connected.");
        samples.with(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP, Duration.ofDays(14).toMillis() - 1);
        assertSays(Tone.ATTENTION, "A certificate expires in 13 days. Quiet: nobody is connected.");
        samples.certificate("www.example.org", Duration.ofDays(400))
                .certificate("shop.example.org", Duration.ofDays(13));
        assertSays(
                Tone.ATTENTION, "The certificate of shop.example.org expires in 13 days. Quiet: nobody is connected.");
        assertPointsAt(Part.CERTIFICATES);
        samples.with(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP, -1).certificate("old.example.org", Duration.ofDays(-1));
        assertSays(Tone.BAD, "The certificate of old.example.org has expired. Quiet: nobody is connected.");
        samples.with(Gauge.CERTIFICATE_PENDING, 1).with(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP, 0);
        assertSays(Tone.ATTENTION, "The authority has not signed a certificate yet. Quiet: nobody is connected.");
        samples.with(Gauge.CERTIFICATES_OUTDATED, 1);
        assertSays(
                Tone.ATTENTION,
                "The files of certificates have changed and cannot be used. Quiet: nobody is connected.");
    }

    @Test
    void load() {
        samples.with(Gauge.CONNECTIONS, 256).requests(12345, 1_200_000, 8_000_000);
        assertSays(Tone.CALM, "12,345 requests a second: p50 1.2 ms, p99 8 ms, max 8 ms; nothing waits.");
    }

    /** All workers are busy, and the queue comes and goes: that is what they are for. */
    @Test
    void heavyLoadThatNobodyNotices() {
        samples.with(Gauge.CONNECTIONS, 256)
                .with(Gauge.WORKERS_BUSY, 4)
                .with(Gauge.QUEUED, 12)
                .with(Gauge.QUEUE_OLDEST, 2)
                .requests(54321, 2_000_000, 12_000_000)
                .brief(4);
        assertSays(
                Tone.CALM,
                "54,321 requests a second: p50 2 ms, p99 12 ms, max 12 ms; 12 requests wait, the oldest for 2 ms.");
    }

    @Test
    void aRequestThatHasJustComeWaitsForLessThanTheGaugeTells() {
        samples.with(Gauge.CONNECTIONS, 8).with(Gauge.QUEUED, 1).requests(600, 5_200_000, 6_200_000);
        assertSays(
                Tone.CALM,
                "600 requests a second: p50 5.2 ms, p99 6.2 ms, max 6.2 ms; 1 request waits, for less than 1 ms.");
    }

    @Test
    void slowClientsThatCostNothing() {
        samples.with(Gauge.CONNECTIONS, 4100).with(Gauge.CONNECTIONS_BODY, 3900).with(Gauge.CONNECTIONS_HEAD, 100);
        assertSays(Tone.SLOW, "4,000 clients send slowly; no worker waits for them.");
        samples.with(Gauge.CONNECTIONS_DRAINING, 12).with(Gauge.WORKERS_WAITING, 1);
        assertSays(Tone.SLOW, "4,000 clients send slowly, 12 take their answers slowly; 1 worker waits for them.");
    }

    @Test
    void whereSlowClientsAreToBeSeenIsPointedAt() {
        samples.with(Gauge.CONNECTIONS, 40).with(Gauge.CONNECTIONS_HEAD, 20);
        assertPointsAt(Part.ARRIVING);
        samples.with(Gauge.CONNECTIONS_DRAINING, 20);
        assertPointsAt(Part.ARRIVING, Part.DRAINING);
        samples.with(Gauge.CONNECTIONS_HEAD, 0);
        assertPointsAt(Part.DRAINING);
        samples.with(Gauge.CONNECTIONS_DRAINING, 0);
        assertPointsAt();
    }

    @Test
    void thatOthersAreServedBesideSlowClientsIsSaid() {
        samples.with(Gauge.CONNECTIONS, 4010).with(Gauge.CONNECTIONS_BODY, 4000).requests(500, 1_000_000, 2_000_000);
        assertSays(
                Tone.SLOW,
                "4,000 clients send slowly; no worker waits for them. 500 requests a second are answered meanwhile.");
    }

    @Test
    void workersAreAllBusy() {
        samples.workers(4, Watched.Doing.BUSY).with(Gauge.QUEUED, 80).with(Gauge.QUEUE_OLDEST, 380);
        assertSays(
                Tone.BUSY,
                "The application is slow: all 4 workers are busy, for up to 200 ms; 80 requests wait, the oldest for 380 ms.");
    }

    @Test
    void whereTheyAreIsSaidIfMostAreThere() {
        StackTraceElement[] stack = {
            frame("java.net.SocketInputStream", "read"),
            frame("com.shop.OrderDao", "load"),
            frame("com.shop.OrderServlet", "doGet"),
            frame("io.penstock.dispatch.Chain", "next")
        };
        samples.workers(3, Watched.Doing.BUSY, stack)
                .workers(1, Watched.Doing.BUSY)
                .with(Gauge.QUEUED, 1)
                .with(Gauge.QUEUE_OLDEST, 1500);
        assertSays(
                Tone.BUSY,
                "The application is slow: 3 of 4 workers are in OrderDao.load, for up to 200 ms; 1 request waits, for 1.5 s.");
        samples.application("/").application("/sho").application("/shop").application("/other");
        assertSays(
                Tone.BUSY,
                "The application is slow: 3 of 4 workers are in /shop, at OrderDao.load, for up to 200 ms; 1 request waits, for 1.5"
                        + " s.");
    }

    /** The queue is a consequence. */
    @Test
    void workersThatAreAllBusyArePointedAt() {
        samples.workers(4, Watched.Doing.BUSY)
                .with(Gauge.QUEUED, 80)
                .with(Gauge.QUEUE_OLDEST, 380)
                .refused(57);
        assertPointsAt(Part.WORKERS);
    }

    @Test
    void thatAllAreThereIsSaid() {
        samples.workers(4, Watched.Doing.BUSY, frame("com.shop.OrderServlet", "doGet"));
        assertSays(
                Tone.BUSY,
                "The application is slow: all 4 workers are in OrderServlet.doGet, for up to 200 ms; no request waits for a worker.");
    }

    @Test
    void whetherTheyWaitForClientsIsSaid() {
        samples.workers(2, Watched.Doing.WAITS_FOR_BYTES).workers(2, Watched.Doing.BUSY);
        assertSays(
                Tone.BUSY,
                "Clients hold the workers: 2 of 4 workers wait for their clients; no request waits for a worker.");
    }

    /** Requests that are short, but too many. */
    @Test
    void moreRequestsThanTheWorkersCanServe() {
        samples.brief(4).with(Gauge.QUEUED, 80).with(Gauge.QUEUE_OLDEST, 400).application("/");
        assertSays(
                Tone.BUSY,
                "More requests come than the workers can serve: all 4 workers are in /; 80 requests wait, the oldest for 400 ms.");
    }

    @Test
    void overload() {
        samples.workers(4, Watched.Doing.BUSY)
                .with(Gauge.QUEUED, 80)
                .with(Gauge.QUEUE_OLDEST, 400)
                .refused(57);
        assertSays(
                Tone.BAD,
                "The application is slow: all 4 workers are busy, for up to 200 ms; 80 requests wait, the oldest for 400 ms, and 57 a second"
                        + " are turned away.");
    }

    @Test
    void failuresOfAnApplicationAreNoRefusals() {
        samples.with(Gauge.CONNECTIONS, 3).requests(100, 1_000_000, 2_000_000).failed("/shop", 4);
        assertSays(
                Tone.ATTENTION,
                "The application /shop fails: 4 of 100 requests a second are answered with 500 or above. 100 requests a second: p50 1 ms, p99 2"
                        + " ms, max 2 ms; nothing waits.");
        assertPointsAt(Part.FAILURES);
        samples.failed("/shop", 50).refused(2);
        samples.incident(500, "/shop", "/shop failed").incident(429, "", "the address had sent too much");
        assertSays(
                Tone.BAD,
                "The application /shop fails: 50 of 100 requests a second are answered with 500. 2 requests a second are refused: the"
                        + " address had sent too much. 100 requests a second: p50 1 ms, p99 2 ms, max 2 ms; nothing waits.");
        assertPointsAt(Part.FAILURES, Part.REFUSALS);
    }

    @Test
    void ofSeveralApplicationsThatFailTheFirstIsTheOneThatFailsMost() {
        samples.with(Gauge.CONNECTIONS, 3).requests(100, 1_000_000, 2_000_000);
        samples.failed("/a", 1).failed("/b", 2).incident(500, "/a", "/a failed").incident(502, "/b", "/b failed");
        String rest = " 100 requests a second: p50 1 ms, p99 2 ms, max 2 ms; nothing waits.";
        assertSays(
                Tone.ATTENTION,
                "The applications /b and /a fail: 3 of 100 requests a second are answered with 500 or above." + rest);
        samples.failed("/c", 4.5);
        assertSays(
                Tone.ATTENTION,
                "The application /c and 2 others fail: 7.5 of 100 requests a second are answered with 500 or above."
                        + rest);
    }

    /** The page shows 2.6, too. */
    @Test
    void aSmallRateHasOneDecimal() {
        samples.with(Gauge.CONNECTIONS, 3).requests(2.6, 1_000_000, 2_000_000).failed("/bad", 2.6);
        assertSays(
                Tone.BAD,
                "The application /bad fails: 2.6 of 2.6 requests a second are answered with 500 or above. 2.6 requests a second: p50 1 ms, p99"
                        + " 2 ms, max 2 ms; nothing waits.");
        samples.refused(1.04);
        assertEquals(true, Condition.of(samples.sample()).sentence().contains(" 1 request a second is refused. "));
    }

    @Test
    void failuresAreSaidBesideAnotherCause() {
        samples.workers(4, Watched.Doing.BUSY).failed("/shop", 3);
        assertSays(
                Tone.BUSY,
                "The application is slow: all 4 workers are busy, for up to 200 ms; no request waits for a worker. The application /shop fails:"
                        + " 3 of 3 requests a second are answered with 500 or above.");
    }

    @Test
    void memoryIsShort() {
        samples.with(Gauge.BODIES_STARVING, 3).with(Gauge.PIPE_BYTES, 900);
        assertSays(
                Tone.BAD, "Memory for bodies is short (900 B of 1,000 B): 3 clients are not read until some is free.");
        assertPointsAt(Part.RESERVES, Part.ARRIVING);
    }

    /** Bodies that have arrived wait in memory for a worker. */
    @Test
    void whyMemoryIsShortIsSaid() {
        samples.with(Gauge.BODIES_STARVING, 1)
                .with(Gauge.PIPE_BYTES, 900)
                .workers(4, Watched.Doing.BUSY)
                .with(Gauge.QUEUED, 80)
                .with(Gauge.QUEUE_OLDEST, 380);
        assertSays(
                Tone.BAD,
                "Memory for bodies is short (900 B of 1,000 B): 1 client is not read until some is free. The application is slow: all 4 workers"
                        + " are busy, for up to 200 ms; 80 requests wait, the oldest for 380 ms.");
        assertPointsAt(Part.RESERVES, Part.WORKERS);
    }

    @Test
    void aBulkheadThatHoldsRequestsBackIsNamedAndOthersAreNot() {
        samples.bulkhead("/shop", 4, 0).bulkhead("/reports", 4, 96).workers(3, Watched.Doing.BUSY);
        assertSays(
                Tone.BUSY,
                "The bulkhead /reports has all its 4 workers busy: 96 requests wait there. Others are served.");
        samples.bulkhead("/exports", 4, 1).refused(12);
        assertSays(
                Tone.BUSY,
                "The bulkhead /reports has all its 4 workers busy: 96 requests wait there; 1 other bulkhead holds requests back, too, and 12 a "
                        + "second are refused. Others are served.");
    }

    @Test
    void theDiskIsNearlyFull() {
        samples.with(Gauge.SPOOL_BYTES, 950);
        assertSays(Tone.BAD, "The disk's share is nearly used up: bodies on disk hold 950 B of 1,000 B.");
    }

    @Test
    void aReactorIsStuck() {
        samples.silent("reactor-1 did not answer in time");
        assertSays(Tone.BAD, "Clients stand still: reactor-1 did not answer in time.");
    }

    @Test
    void beginningAndEnd() {
        samples.health(Watched.Health.STARTING);
        assertSays(Tone.NOT_READY, "The server is starting. It does not want requests yet.");
        samples.health(Watched.Health.ENDING).with(Gauge.CONNECTIONS, 2);
        assertSays(Tone.NOT_READY, "The server is ending. 2 clients are still connected.");
    }

    @Test
    void refusalsAreSaidAlsoWhereNothingElseIs() {
        samples.with(Gauge.CONNECTIONS, 3).refused(4);
        assertSays(
                Tone.ATTENTION,
                "4 requests a second are refused. Quiet: 3 clients are connected, and hardly anything is asked for.");
    }
}
