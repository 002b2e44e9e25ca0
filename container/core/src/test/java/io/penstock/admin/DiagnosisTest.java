package io.penstock.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.admin.Condition.Part;
import io.penstock.admin.Condition.Tone;
import io.penstock.metrics.Gauge;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests the description of the server's condition on the flow board, the live page for operators. The description has a sentence about the
 * worst problem, and further sentences with details. The board also marks the parts of the page that show the problem.
 */
class DiagnosisTest {
    private static final String QUIET = "Quiet: nobody is connected.";
    private static final String QUIET_WITH_THREE_CLIENTS =
            "Quiet: 3 clients are connected, and almost no requests arrive.";
    private static final String NO_REQUEST_WAITS = "No request waits for a worker.";
    private static final String ALL_WORKERS_ARE_BUSY = "All 4 workers are busy, for up to 200 ms.";

    private final Samples samples = new Samples();

    private static StackTraceElement frame(String type, String method) {
        return new StackTraceElement(type, method, "A.java", 1);
    }

    private void assertShows(Tone tone, String sentence, String... details) {
        Condition condition = Diagnosis.of(samples.sample());
        assertEquals(sentence, condition.sentence());
        assertEquals(List.of(details), condition.details());
        assertEquals(tone, condition.tone());
    }

    private void assertMarks(Part... parts) {
        assertEquals(Set.of(parts), Diagnosis.of(samples.sample()).at());
    }

    @Test
    void anIdleServerIsReportedAsQuiet() {
        assertShows(Tone.CALM, "Quiet: nobody is connected.");
        samples.with(Gauge.CONNECTIONS, 12).with(Gauge.CONNECTIONS_IDLE, 12);
        assertShows(Tone.CALM, "Quiet: 12 clients are connected, and almost no requests arrive.");
        samples.with(Gauge.WORKERS_BUSY, 3);
        assertShows(Tone.CALM, "12 clients are connected; 3 requests are with a worker.");
    }

    @Test
    void theRequestRateIsUnknownWithoutRequestMetrics() {
        samples.with(Gauge.CONNECTIONS, 12).notMeasured();
        assertShows(Tone.CALM, "12 clients are connected. The request rate is unknown: requests are not measured.");
    }

    @Test
    void failedDeploymentsAreReported() {
        samples.notDeployed("/shop");
        assertShows(Tone.ATTENTION, "The application /shop was not deployed.", QUIET);
        samples.notDeployed("/wiki");
        assertShows(Tone.ATTENTION, "2 applications were not deployed.", QUIET);
    }

    @Test
    void problemsWithCertificatesAreReported() {
        samples.with(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP, Duration.ofDays(14).toMillis());
        assertShows(Tone.CALM, QUIET);
        samples.with(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP, Duration.ofDays(14).toMillis() - 1);
        assertShows(Tone.ATTENTION, "A certificate expires in 13 days.", QUIET);
        samples.certificate("www.example.org", Duration.ofDays(400))
                .certificate("shop.example.org", Duration.ofDays(13));
        assertShows(Tone.ATTENTION, "The certificate of shop.example.org expires in 13 days.", QUIET);
        assertMarks(Part.CERTIFICATES);
        samples.with(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP, -1).certificate("old.example.org", Duration.ofDays(-1));
        assertShows(Tone.BAD, "The certificate of old.example.org has expired.", QUIET);
        samples.with(Gauge.CERTIFICATE_PENDING, 1).with(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP, 0);
        assertShows(Tone.ATTENTION, "The authority has not signed a certificate yet.", QUIET);
        samples.with(Gauge.CERTIFICATES_OUTDATED, 1);
        assertShows(Tone.ATTENTION, "The files of certificates have changed and cannot be used.", QUIET);
    }

    @Test
    void theRequestRateAndTheRequestTimesAreReported() {
        samples.with(Gauge.CONNECTIONS, 256).requests(12345, 1_200_000, 8_000_000);
        assertShows(
                Tone.CALM,
                "12,345 requests a second are answered.",
                "Times: p50 1.2 ms, p99 8 ms, max 8 ms.",
                NO_REQUEST_WAITS);
        samples.requests(1.04, 1_200_000, 8_000_000);
        assertEquals(
                "1 request a second is answered.",
                Diagnosis.of(samples.sample()).sentence());
    }

    /** The requests in the queue wait for only 2 ms. So busy workers are not a problem. */
    @Test
    void busyWorkersWithAShortQueueAreNotReportedAsAProblem() {
        samples.with(Gauge.CONNECTIONS, 256)
                .with(Gauge.WORKERS_BUSY, 4)
                .with(Gauge.QUEUED, 12)
                .with(Gauge.QUEUE_OLDEST, 2)
                .requests(54321, 2_000_000, 12_000_000)
                .busyWithShortRequests(4);
        assertShows(
                Tone.CALM,
                "54,321 requests a second are answered.",
                "Times: p50 2 ms, p99 12 ms, max 12 ms.",
                "12 requests wait, the oldest for 2 ms.");
    }

    @Test
    void veryShortTimesAreNotShownAsZero() {
        samples.with(Gauge.CONNECTIONS, 8).with(Gauge.QUEUED, 1).requests(600, 0, 6_200_000);
        assertShows(
                Tone.CALM,
                "600 requests a second are answered.",
                "Times: p50 less than 1 \u00b5s, p99 6.2 ms, max 6.2 ms.",
                "1 request waits, for less than 1 ms.");
    }

    @Test
    void slowClientsAreReportedWithTheNumberOfWaitingWorkers() {
        samples.with(Gauge.CONNECTIONS, 4100).with(Gauge.CONNECTIONS_BODY, 3900).with(Gauge.CONNECTIONS_HEAD, 100);
        assertShows(Tone.SLOW, "4,000 clients send slowly.", "No worker waits for them.");
        samples.with(Gauge.CONNECTIONS_DRAINING, 12).with(Gauge.WORKERS_WAITING, 1);
        assertShows(Tone.SLOW, "4,000 clients send slowly, 12 take their answers slowly.", "1 worker waits for them.");
    }

    @Test
    void aPartOfTheBoardIsMarkedIfItHasSlowClients() {
        samples.with(Gauge.CONNECTIONS, 40).with(Gauge.CONNECTIONS_HEAD, 20);
        assertMarks(Part.ARRIVING);
        samples.with(Gauge.CONNECTIONS_DRAINING, 20);
        assertMarks(Part.ARRIVING, Part.DRAINING);
        samples.with(Gauge.CONNECTIONS_HEAD, 0);
        assertMarks(Part.DRAINING);
        samples.with(Gauge.CONNECTIONS_DRAINING, 0);
        assertMarks();
    }

    @Test
    void theRequestRateIsReportedTogetherWithSlowClients() {
        samples.with(Gauge.CONNECTIONS, 4010).with(Gauge.CONNECTIONS_BODY, 4000).requests(500, 1_000_000, 2_000_000);
        assertShows(
                Tone.SLOW,
                "4,000 clients send slowly.",
                "No worker waits for them.",
                "500 requests a second are answered meanwhile.");
    }

    @Test
    void aSlowApplicationIsReportedIfAllWorkersAreBusy() {
        samples.workers(4, Watched.Doing.BUSY).with(Gauge.QUEUED, 80).with(Gauge.QUEUE_OLDEST, 380);
        assertShows(
                Tone.BUSY,
                "The application is slow.",
                ALL_WORKERS_ARE_BUSY,
                "80 requests wait, the oldest for 380 ms.");
    }

    @Test
    void theReportContainsTheMethodInWhichMostWorkersAreBusy() {
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
        assertShows(
                Tone.BUSY,
                "The application is slow in OrderDao.load.",
                "3 of 4 workers are in OrderDao.load, for up to 200 ms.",
                "1 request waits, for 1.5 s.");
        samples.application("/").application("/sho").application("/shop").application("/other");
        assertShows(
                Tone.BUSY,
                "The application /shop is slow in OrderDao.load.",
                "3 of 4 workers are in /shop, at OrderDao.load, for up to 200 ms.",
                "1 request waits, for 1.5 s.");
    }

    /** One servlet gets seven eighths of the workers, and the requests for other servlets are served. */
    @Test
    void aServletIsReportedIfItsRequestsWaitWhileWorkersAreFree() {
        samples.with(Gauge.WORKERS, 240)
                .workers(210, Watched.Doing.WAITS, frame("com.shop.OrderServlet", "doGet"))
                .mapping("/shop orders", 210, 190)
                .application("/shop")
                .with(Gauge.QUEUED, 190)
                .with(Gauge.QUEUE_OLDEST, 380);
        assertShows(
                Tone.BUSY,
                "The application /shop is slow in OrderServlet.doGet.",
                "210 of 240 workers are in /shop, at OrderServlet.doGet, for up to 200 ms.",
                "190 requests for /shop orders wait, the oldest for 380 ms.",
                "Others are served.");
        assertMarks(Part.WORKERS);
    }

    @Test
    void severalServletsThatHoldTheWorkersAreReported() {
        samples.with(Gauge.WORKERS, 240)
                .workers(220, Watched.Doing.WAITS)
                .mapping("/shop orders", 112, 30)
                .mapping("/shop report", 105, 60)
                .mapping("/shop quick", 3, 0)
                .with(Gauge.QUEUED, 91)
                .with(Gauge.QUEUE_OLDEST, 380);
        assertShows(
                Tone.BUSY,
                "The application is slow.",
                "220 of 240 workers are busy, for up to 200 ms.",
                "91 requests wait, 60 of them for /shop report, the oldest for 380 ms.",
                "Workers are held by /shop orders (112), /shop report (105).",
                "Others are served.");
    }

    /** Only a part of the workers has stacks, since reading them takes time. */
    @Test
    void theNumberOfWorkersInOneMethodIsEstimatedIfThereAreThousands() {
        samples.with(Gauge.WORKERS, 10_000)
                .workers(Watched.STACKS, Watched.Doing.WAITS, frame("com.shop.OrderServlet", "doGet"))
                .workers(4700 - Watched.STACKS, Watched.Doing.WAITS)
                .with(Gauge.QUEUED, 1)
                .with(Gauge.QUEUE_OLDEST, 1500);
        assertShows(
                Tone.BUSY,
                "The application is slow in OrderServlet.doGet.",
                "4,700 of 10,000 workers are in OrderServlet.doGet, for up to 200 ms.",
                "1 request waits, for 1.5 s.",
                "Others are served.");
    }

    /** The queue and the refusals are not marked, because the busy workers are the cause of both. */
    @Test
    void onlyTheWorkersAreMarkedAsTheCauseOfAQueueIfAllWorkersAreBusy() {
        samples.workers(4, Watched.Doing.BUSY)
                .with(Gauge.QUEUED, 80)
                .with(Gauge.QUEUE_OLDEST, 380)
                .refused(57);
        assertMarks(Part.WORKERS);
    }

    @Test
    void theReportContainsTheMethodInWhichAllWorkersAreBusy() {
        samples.workers(4, Watched.Doing.BUSY, frame("com.shop.OrderServlet", "doGet"));
        assertShows(
                Tone.BUSY,
                "The application is slow in OrderServlet.doGet.",
                "All 4 workers are in OrderServlet.doGet, for up to 200 ms.",
                NO_REQUEST_WAITS);
    }

    @Test
    void theReportContainsTheNumberOfWorkersThatWaitForClients() {
        samples.workers(2, Watched.Doing.WAITS_FOR_BYTES).workers(2, Watched.Doing.BUSY);
        assertShows(Tone.BUSY, "Clients hold the workers.", "2 of 4 workers wait for their clients.", NO_REQUEST_WAITS);
    }

    @Test
    void tooManyShortRequestsAreReported() {
        samples.busyWithShortRequests(4)
                .with(Gauge.QUEUED, 80)
                .with(Gauge.QUEUE_OLDEST, 400)
                .application("/");
        assertShows(
                Tone.BUSY,
                "More requests come than the workers can serve.",
                "All 4 workers are in /.",
                "80 requests wait, the oldest for 400 ms.");
    }

    @Test
    void refusedRequestsAreReportedDuringAnOverload() {
        samples.workers(4, Watched.Doing.BUSY)
                .with(Gauge.QUEUED, 80)
                .with(Gauge.QUEUE_OLDEST, 400)
                .refused(57);
        assertShows(
                Tone.BAD,
                "The application is slow.",
                ALL_WORKERS_ARE_BUSY,
                "80 requests wait, the oldest for 400 ms.",
                "57 requests a second are refused.");
    }

    // ---- failures

    @Test
    void aFailingApplicationIsReported() {
        samples.with(Gauge.CONNECTIONS, 3).requests(100, 1_000_000, 2_000_000).failed("/shop", 4, 502);
        assertShows(
                Tone.ATTENTION,
                "The application /shop fails: 4 % of all requests get 502.",
                "8 requests failed in the last 10 s.",
                "100 requests a second are answered.",
                "Times: p50 1 ms, p99 2 ms, max 2 ms.",
                NO_REQUEST_WAITS);
        assertMarks(Part.FAILURES);
    }

    @Test
    void failuresOfAnApplicationAndRefusalsOfTheServerAreReportedSeparately() {
        samples.with(Gauge.CONNECTIONS, 3).requests(100, 1_000_000, 2_000_000).failed("/shop", 50, 500);
        samples.refused(2, 429, "one address sent more than 10 requests a second");
        assertShows(
                Tone.BAD,
                "The application /shop fails: 50 % of all requests get 500.",
                "100 requests failed in the last 10 s.",
                "The server refuses 2 requests a second: one address sent more than 10 requests a second.",
                "4 requests were refused in the last 10 s.",
                "100 requests a second are answered.",
                "Times: p50 1 ms, p99 2 ms, max 2 ms.",
                NO_REQUEST_WAITS);
        assertMarks(Part.FAILURES, Part.REFUSALS);
    }

    @Test
    void theApplicationWithTheMostFailuresIsReportedFirst() {
        samples.with(Gauge.CONNECTIONS, 3).requests(1000, 1_000_000, 2_000_000);
        samples.failed("/a", 1, 500).failed("/b", 2, 502);
        Condition condition = Diagnosis.of(samples.sample());
        assertEquals(
                "The applications /b and /a fail: less than 1 % of all requests get 500 or above.",
                condition.sentence());
        assertEquals("By application: /b (4), /a (2).", condition.details().get(1));
        samples.failed("/c", 4.5, 500);
        condition = Diagnosis.of(samples.sample());
        assertEquals(
                "The application /c and 2 others fail: 1 % of all requests get 500 or above.", condition.sentence());
        assertEquals(
                "By application: /c (9), /b (4), /a (2).", condition.details().get(1));
    }

    @Test
    void aFailureOfAllOrNearlyAllRequestsIsReported() {
        samples.with(Gauge.CONNECTIONS, 3).requests(2.6, 1_000_000, 2_000_000).failed("/bad", 2.6, 500);
        assertEquals(
                "The application /bad fails: all requests get 500.",
                Diagnosis.of(samples.sample()).sentence());
        samples.requests(1000, 1_000_000, 2_000_000).failed("/bad", 998, 500);
        assertEquals(
                "The application /bad fails: nearly all requests get 500.",
                Diagnosis.of(samples.sample()).sentence());
    }

    @Test
    void failuresOfTheLastTenSecondsAreReported() {
        samples.with(Gauge.CONNECTIONS, 3).failedBefore(Duration.ofMillis(2_900), "/bad", 12, 500);
        samples.failedBefore(Duration.ofMillis(5_000), "/bad", 8, 500);
        assertShows(
                Tone.ATTENTION,
                "The application /bad failed 20 requests in the last 10 s.",
                "The last failure was 2 s ago, with status 500.",
                QUIET_WITH_THREE_CLIENTS);
        assertMarks(Part.FAILURES);
        samples.with(Gauge.CONNECTIONS_BODY, 40).with(Gauge.CONNECTIONS, 43);
        assertShows(
                Tone.ATTENTION,
                "The application /bad failed 20 requests in the last 10 s.",
                "The last failure was 2 s ago, with status 500.",
                "40 clients send slowly.",
                "No worker waits for them.");
        assertMarks(Part.FAILURES);
    }

    /** The rate is below one failure a second, so the message has the count instead of a rate. */
    @Test
    void aSingleFailureIsReported() {
        samples.with(Gauge.CONNECTIONS, 3).failed("/bad", 0.5, 500);
        assertShows(
                Tone.ATTENTION,
                "The application /bad failed 1 request in the last 10 s.",
                "The last failure was less than 1 s ago, with status 500.",
                QUIET_WITH_THREE_CLIENTS);
    }

    @Test
    void failedRequestsAreReportedTogetherWithAnotherProblem() {
        samples.workers(4, Watched.Doing.BUSY)
                .requests(100, 1_000_000, 2_000_000)
                .failed("/shop", 3, 500);
        assertShows(
                Tone.BUSY,
                "The application is slow.",
                ALL_WORKERS_ARE_BUSY,
                NO_REQUEST_WAITS,
                "The application /shop fails: 3 % of all requests get 500.",
                "6 requests failed in the last 10 s.");
        assertMarks(Part.WORKERS, Part.FAILURES);
    }

    // ---- refusals

    @Test
    void refusedRequestsAreReportedIfThereIsNoOtherProblem() {
        samples.with(Gauge.CONNECTIONS, 3).refused(4);
        assertShows(
                Tone.ATTENTION,
                "The server refuses 4 requests a second: the queue was full (100).",
                "8 requests were refused in the last 10 s.",
                QUIET_WITH_THREE_CLIENTS);
        assertMarks(Part.REFUSALS);
    }

    @Test
    void refusalsOfTheLastTenSecondsAreReported() {
        samples.with(Gauge.CONNECTIONS, 3)
                .refusedBefore(Duration.ofSeconds(9), 2, 503, "waited 10 s for a worker")
                .refusedBefore(Duration.ofSeconds(7), 5, 503, "the queue was full (100)");
        assertShows(
                Tone.ATTENTION,
                "The server refused 7 requests in the last 10 s: the queue was full (100).",
                "The last refusal was 7 s ago.",
                "By reason: the queue was full (100) (5), waited 10 s for a worker (2).",
                QUIET_WITH_THREE_CLIENTS);
        assertMarks(Part.REFUSALS);
    }

    @Test
    void aCurrentProblemIsReportedBeforeAPastRefusal() {
        samples.workers(4, Watched.Doing.BUSY).refusedBefore(Duration.ofSeconds(7), 1, 503, "the queue was full (100)");
        assertShows(
                Tone.BUSY,
                "The application is slow.",
                ALL_WORKERS_ARE_BUSY,
                NO_REQUEST_WAITS,
                "1 request was refused in the last 10 s.");
    }

    /** Vulnerability scanners send invalid requests to all public servers. So a few invalid requests are not a problem. */
    @Test
    void aFewInvalidRequestsAreNotReported() {
        samples.refusedBefore(Duration.ofSeconds(1), 9, 400, "not a request that can be read");
        assertShows(Tone.CALM, QUIET);
        assertMarks();
        samples.refusedBefore(Duration.ofSeconds(1), 1, 408, "body stalled 10 s");
        assertShows(
                Tone.ATTENTION,
                "The server refused 10 requests in the last 10 s: not a request that can be read.",
                "The last refusal was 1 s ago.",
                "By reason: not a request that can be read (9), body stalled 10 s (1).",
                QUIET);
    }

    @Test
    void theMostSeriousProblemIsReportedFirst() {
        samples.refused(4).with(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP, -1);
        assertShows(
                Tone.BAD,
                "A certificate has expired.",
                "The server refuses 4 requests a second: the queue was full (100).",
                "8 requests were refused in the last 10 s.",
                QUIET);
        assertMarks(Part.CERTIFICATES, Part.REFUSALS);
    }

    // ---- limits

    @Test
    void aShortageOfMemoryForMessageBodiesIsReported() {
        samples.with(Gauge.BODIES_STARVING, 3).with(Gauge.PIPE_BYTES, 900);
        assertShows(
                Tone.BAD,
                "Memory for bodies is short (900 B of 1,000 B).",
                "3 clients are not read until some is free.");
        assertMarks(Part.RESERVES, Part.ARRIVING);
    }

    /** Memory is short because complete request bodies wait in memory for a worker. So the busy workers must be reported first. */
    @Test
    void busyWorkersAreReportedAsTheCauseOfAMemoryShortage() {
        samples.with(Gauge.BODIES_STARVING, 1)
                .with(Gauge.PIPE_BYTES, 900)
                .workers(4, Watched.Doing.BUSY)
                .with(Gauge.QUEUED, 80)
                .with(Gauge.QUEUE_OLDEST, 380);
        assertShows(
                Tone.BAD,
                "The application is slow.",
                ALL_WORKERS_ARE_BUSY,
                "80 requests wait, the oldest for 380 ms.",
                "Memory for bodies is short (900 B of 1,000 B).",
                "1 client is not read until some is free.");
        assertMarks(Part.RESERVES, Part.WORKERS);
    }

    /** A bulkhead limits the number of workers for the requests of one path. */
    @Test
    void aBulkheadIsReportedIfItsWorkersAreBusyAndRequestsWait() {
        samples.bulkhead("/shop", 4, 0).bulkhead("/reports", 4, 96).workers(3, Watched.Doing.BUSY);
        assertShows(
                Tone.BUSY,
                "The bulkhead /reports has all its 4 workers busy.",
                "96 requests wait there. Other requests are served.");
        samples.bulkhead("/exports", 4, 1).refused(12);
        assertShows(
                Tone.BUSY,
                "The bulkhead /reports has all its 4 workers busy.",
                "96 requests wait there. Other requests are served.",
                "1 other bulkhead holds requests back, too.",
                "12 requests a second are refused.");
        assertMarks(Part.WORKERS, Part.BULKHEADS);
    }

    /** A streaming worker serves a request whose body has not arrived completely. */
    @Test
    void aReachedLimitOfStreamingWorkersIsReported() {
        samples.with(Gauge.WORKERS_BUSY, 2)
                .with(Gauge.WORKERS_STREAMING, 2)
                .with(Gauge.QUEUED, 3)
                .with(Gauge.QUEUE_OLDEST, 900);
        assertShows(
                Tone.BUSY,
                "The limit of workers that stream is reached (2).",
                "3 requests wait, the oldest for 900 ms.",
                "Other requests are served.");
    }

    @Test
    void aShortageOfDiskSpaceForMessageBodiesIsReported() {
        samples.with(Gauge.SPOOL_BYTES, 950);
        assertShows(Tone.BAD, "The disk space for bodies is nearly used up.", "Bodies on disk hold 950 B of 1,000 B.");
    }

    /** A reactor thread reads and writes the sockets of many clients. All these clients wait while the thread is blocked. */
    @Test
    void aBlockedReactorThreadIsReported() {
        samples.blockedReactor("reactor-1 did not answer in time");
        assertShows(Tone.BAD, "Clients stand still: reactor-1 did not answer in time.");
        samples.blockedReactor("reactor-2 did not answer in time");
        assertShows(
                Tone.BAD,
                "Clients stand still: reactor-1 did not answer in time.",
                "Likewise: reactor-2 did not answer in time.");
    }

    @Test
    void theStartAndTheStopOfTheServerAreReported() {
        samples.health(Watched.Health.STARTING);
        assertShows(Tone.NOT_READY, "The server is starting.", "It is not ready for requests yet.");
        samples.health(Watched.Health.ENDING).with(Gauge.CONNECTIONS, 2);
        assertShows(Tone.NOT_READY, "The server is ending.", "2 clients are still connected.");
    }
}
