package io.penstock.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.FreePort;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests orders that fail. The authority refuses the order, fails, sends an invalid response, or does not respond. */
@Timeout(120)
class FailedOrderTest {
    @TempDir
    Path folder;

    private AcmeAuthority authority;
    private AcmeTestServer server;

    @BeforeEach
    void startServerAndAuthority() throws Exception {
        authority = new AcmeAuthority();
        server = new AcmeTestServer(folder, authority, "a.example", "b.example");
    }

    @AfterEach
    void closeServerAndAuthority() {
        server.close();
        authority.close();
    }

    private void assertFails(String problem) {
        int before = server.orders().failures();
        server.checkOrders();
        assertEquals(problem, server.orders().problem());
        assertEquals(before + 1, server.orders().failures());
        assertNull(server.current());
    }

    /** Checks that the first order after the pause succeeds. */
    private void assertRecovers() {
        server.time.advance(RetryPause.LONGEST);
        server.checkOrders();
        assertEquals("", server.orders().problem());
        assertEquals(0, server.orders().failures());
        assertNotNull(server.current());
    }

    @Test
    void thePauseGrowsToOneDayAfterRepeatedFailures() {
        authority.on("order", AcmeAuthority.answers(403, "rejectedIdentifier", "not for you"));
        List<Duration> pauses = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            assertFails("not for you (urn:ietf:params:acme:error:rejectedIdentifier)");
            Duration pause = new RetryPause(() -> 0L).after(i + 1);
            pauses.add(pause);
            server.time.advance(pause.minusSeconds(1));
            server.checkOrders();
            assertEquals(i + 1, server.orders().failures(), "an order started before the end of the pause");
            server.time.advance(Duration.ofSeconds(1));
        }
        assertEquals(
                List.of(1, 3, 9, 27, 81, 243, 729, 1440, 1440),
                pauses.stream().map(pause -> (int) pause.toMinutes()).toList());
        authority.restoreUsualResponse("order");
        assertRecovers();
    }

    @Test
    void aProblemIsNotLoggedIfThePreviousOrderHadTheSameProblem() {
        PrintStream usual = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            for (String detail : List.of("one", "one", "two", "one")) {
                authority.on("order", AcmeAuthority.answers(403, "rejectedIdentifier", detail));
                server.checkOrders();
                server.time.advance(RetryPause.LONGEST);
            }
        } finally {
            System.setErr(usual);
        }
        List<String> lines = log.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("No certificate for a.example, b.example from http://localhost:"))
                .toList();
        assertEquals(3, lines.size(), lines.toString());
        assertTrue(
                lines.get(0)
                        .contains(
                                ": one (urn:ietf:params:acme:error:rejectedIdentifier). The next attempt is at 2026-11-26T12:01:00Z"),
                lines.get(0));
    }

    @Test
    void theNextOrderWaitsUntilTheTimeInRetryAfter() {
        authority.on("order", AcmeAuthority.rateLimits("Fri, 27 Nov 2026 15:00:00 GMT"));
        assertFails("too many new orders recently (urn:ietf:params:acme:error:rateLimited)");
        authority.restoreUsualResponse("order");
        server.time.advance(Duration.ofHours(27).minusSeconds(1));
        server.checkOrders();
        assertNull(server.current());
        server.time.advance(Duration.ofSeconds(1));
        server.checkOrders();
        assertNotNull(server.current());
    }

    @Test
    void theRetryAfterFieldDelaysTheNextOrderByAtMostSevenDays() {
        authority.on("order", AcmeAuthority.rateLimits("Fri, 27 Nov 2099 15:00:00 GMT"));
        server.checkOrders();
        authority.restoreUsualResponse("order");
        server.time.advance(AcmeOrders.LONGEST_RETRY_AFTER);
        server.checkOrders();
        assertNotNull(server.current());
    }

    @Test
    void theReportOfAFailedProofContainsTheHostAndTheChallengeAndTheReason() {
        authority.offers("http-01", (host, token, answer) -> host.startsWith("b") ? "b cannot be reached" : null);
        assertFails("b.example: http-01: b cannot be reached (urn:ietf:params:acme:error:unauthorized)");
    }

    @Test
    void anOrderFailsIfTheAuthorityDoesNotOfferTheConfiguredChallenge() throws Exception {
        try (AcmeAuthority other = new AcmeAuthority();
                AcmeTestServer asked = new AcmeTestServer(folder.resolve("other"), other, "a.example")) {
            other.withdraws("http-01");
            other.offers("dns-01", (host, token, answer) -> null);
            asked.checkOrders();
            assertEquals(
                    "a.example: the authority does not offer http-01",
                    asked.orders().problem());
        }
    }

    @Test
    void aRequestWithARejectedNonceIsRepeatedImmediately() {
        int[] times = {0};
        authority.on("order", (asked, exchange) -> {
            if (++times[0] == 1) {
                asked.forgetNonces();
            } else {
                asked.restoreUsualResponse("order");
            }
            asked.sendUsualResponse(exchange);
        });
        server.checkOrders();
        assertEquals(0, server.orders().failures());
        assertNotNull(server.current());
        assertEquals(2, times[0]);
    }

    @Test
    void anErrorResponseOfTheAuthorityFailsTheOrder() {
        authority.on("finalize", AcmeAuthority.answers(500, "serverInternal", "out of order"));
        assertFails("out of order (urn:ietf:params:acme:error:serverInternal)");
        authority.restoreUsualResponse("finalize");
        assertRecovers();
    }

    @Test
    void anOrderFailsIfAResponseIsNotAcme() {
        authority.on("dir", AcmeAuthority.text(200, "text/html", "<h1>Log in to the hotel's network</h1>"));
        assertFails("the answer of the authority is not ACME: Unexpected content type: text/html");
        authority.on("dir", AcmeAuthority.text(502, "text/html", "<h1>Bad gateway</h1>"));
        server.time.advance(RetryPause.LONGEST);
        assertFails("HTTP 502");
        authority.on("dir", AcmeAuthority.text(200, "application/json", "{\"newNonce\": 7"));
        server.time.advance(RetryPause.LONGEST);
        server.checkOrders();
        assertTrue(server.orders().problem().startsWith("the answer of the authority is not ACME: "));
        authority.restoreUsualResponse("dir");
        assertRecovers();
    }

    @Test
    void aResponseAboveTheSizeLimitFailsTheOrder() {
        authority.on("dir", AcmeAuthority.text(200, "application/json", "[" + " ".repeat(2 << 20) + "]"));
        server.checkOrders();
        assertTrue(
                server.orders().problem().endsWith("the answer is larger than 1048576 bytes"),
                server.orders().problem());
    }

    @Test
    void anUnreachableAuthorityFailsTheOrder() throws Exception {
        authority.close();
        server.checkOrders();
        assertTrue(
                server.orders().problem().contains("Connect"), server.orders().problem());
    }

    @Test
    void anOrderFailsAtItsTimeLimit() {
        authority.on("dir", AcmeAuthority.hangsInTheBody());
        server.orders().look();
        Awaitility.await().until(() -> authority.requests().contains("dir"));
        server.time.advance(AcmeOrders.LONGEST_ORDER);
        server.orders().look();
        assertFalse(server.orders().isIdle(), "the order ended before its time limit");
        server.time.advance(Duration.ofSeconds(1));
        server.checkOrders();
        assertEquals("the order has not ended after 10 minutes", server.orders().problem());
        assertEquals(List.of("dir"), authority.requests(), "two orders ran at the same time");
    }

    @Test
    void closingTheServerStopsARunningOrder() throws Exception {
        authority.on("dir", AcmeAuthority.hangs());
        server.orders().look();
        Awaitility.await().until(() -> authority.requests().contains("dir"));
        server.orders().close();
        assertTrue(server.orders().isIdle());
        assertEquals(0, server.orders().failures(), "closing the server was counted as a failed order");
        server.orders().look();
        assertTrue(server.orders().isIdle(), "an order started after the close");
    }

    @Test
    void aDamagedAccountFileIsReportedAndNotReplaced() throws Exception {
        server.checkOrders();
        Path account = folder.resolve("account.pem");
        String whole = Files.readString(account);
        for (String damaged :
                List.of("", whole.substring(0, whole.length() / 2), whole.replaceFirst("PUBLIC", "OTHER"))) {
            Files.writeString(account, damaged);
            server.time.advance(Duration.ofDays(80));
            server.checkOrders();
            assertEquals(
                    account + " is not a key of an account in the form of this server; delete it to make a new account",
                    server.orders().problem());
        }
        Files.delete(account);
        server.time.advance(Duration.ofDays(1));
        server.checkOrders();
        assertEquals("", server.orders().problem());
        assertEquals(2, authority.accounts());
    }

    /** Each order counts for the limits of the authority. So the certificate is stored later, and no other one is ordered. */
    @Test
    void aSignedCertificateThatCouldNotBeStoredIsStoredAtTheNextAttempt() throws Exception {
        Path inTheWay = Files.createDirectories(folder.resolve("certificate.pem.partial/file"));
        for (int i = 1; i <= 3; i++) {
            server.checkOrders();
            assertEquals(i, server.orders().failures());
            assertEquals(1, authority.signed());
            server.time.advance(RetryPause.LONGEST);
        }
        assertNull(server.current());
        Files.delete(inTheWay);
        Files.delete(inTheWay.getParent());
        assertRecovers();
        assertEquals(1, authority.signed());
    }

    @Test
    void aSignedCertificateThatCouldNotBeStoredForTooLongIsOrderedAgain() throws Exception {
        Files.createDirectories(folder.resolve("certificate.pem.partial/file"));
        server.checkOrders();
        assertEquals(1, authority.signed());
        server.time.advance(Duration.ofDays(60));
        server.checkOrders();
        assertEquals(2, authority.signed());
    }

    @Test
    void theReportedProblemContainsTheConnectionErrorOfEachHost() throws Exception {
        int free = FreePort.next();
        authority.offers("http-01", new HttpProof(() -> free));
        server.checkOrders();
        String problem = server.orders().problem();
        assertTrue(problem.startsWith("a.example: http-01: java.net.ConnectException"), problem);
        assertTrue(problem.contains("; b.example: http-01: java.net.ConnectException"), problem);
    }
}
