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

/** Tests an authority that refuses orders, fails, sends invalid responses, or does not respond. */
@Timeout(60)
class FailedOrderTest {
    @TempDir
    Path folder;

    private AcmeAuthority authority;
    private ServedFile server;

    @BeforeEach
    void aServer() throws Exception {
        authority = new AcmeAuthority();
        server = new ServedFile(folder, authority, "a.example", "b.example");
    }

    @AfterEach
    void closeServerAndAuthority() {
        server.close();
        authority.close();
    }

    private void assertFails(String problem) {
        int before = server.orders().failures();
        server.look();
        assertEquals(problem, server.orders().problem());
        assertEquals(before + 1, server.orders().failures());
        assertNull(server.current());
    }

    /** Checks that the first order after the pause succeeds. */
    private void assertRecovers() {
        server.time.pass(RetryPause.LONGEST);
        server.look();
        assertEquals("", server.orders().problem());
        assertEquals(0, server.orders().failures());
        assertNotNull(server.current());
    }

    @Test
    void pausesAfterFailedOrdersGrowToOneDay() {
        authority.on("order", AcmeAuthority.answers(403, "rejectedIdentifier", "not for you"));
        List<Duration> pauses = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            assertFails("not for you (urn:ietf:params:acme:error:rejectedIdentifier)");
            Duration pause = new RetryPause(() -> 0L).after(i + 1);
            pauses.add(pause);
            server.time.pass(pause.minusSeconds(1));
            server.look();
            assertEquals(i + 1, server.orders().failures(), "an order started before the end of the pause");
            server.time.pass(Duration.ofSeconds(1));
        }
        assertEquals(
                List.of(1, 3, 9, 27, 81, 243, 729, 1440, 1440),
                pauses.stream().map(pause -> (int) pause.toMinutes()).toList());
        authority.restoreAnswer("order");
        assertRecovers();
    }

    @Test
    void aProblemIsLoggedOnlyIfItDiffersFromThePreviousProblem() {
        PrintStream usual = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            for (String detail : List.of("one", "one", "two", "one")) {
                authority.on("order", AcmeAuthority.answers(403, "rejectedIdentifier", detail));
                server.look();
                server.time.pass(RetryPause.LONGEST);
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
        authority.restoreAnswer("order");
        server.time.pass(Duration.ofHours(27).minusSeconds(1));
        server.look();
        assertNull(server.current());
        server.time.pass(Duration.ofSeconds(1));
        server.look();
        assertNotNull(server.current());
    }

    @Test
    void aRetryAfterOfManyYearsIsLimited() {
        authority.on("order", AcmeAuthority.rateLimits("Fri, 27 Nov 2099 15:00:00 GMT"));
        server.look();
        authority.restoreAnswer("order");
        server.time.pass(AcmeOrders.LONGEST_RETRY_AFTER);
        server.look();
        assertNotNull(server.current());
    }

    @Test
    void theProblemOfAFailedProofNamesHostChallengeAndReason() {
        authority.offers("http-01", (host, token, answer) -> host.startsWith("b") ? "b cannot be reached" : null);
        assertFails("b.example: http-01: b cannot be reached (urn:ietf:params:acme:error:unauthorized)");
    }

    @Test
    void anOrderFailsIfTheAuthorityDoesNotOfferTheConfiguredChallenge() throws Exception {
        try (AcmeAuthority other = new AcmeAuthority();
                ServedFile asked = new ServedFile(folder.resolve("other"), other, "a.example")) {
            other.withdraws("http-01");
            other.offers("dns-01", (host, token, answer) -> null);
            asked.look();
            assertEquals(
                    "a.example: the authority does not offer http-01",
                    asked.orders().problem());
        }
    }

    @Test
    void aRequestWithAWrongNonceIsRepeatedAtOnce() {
        int[] times = {0};
        authority.on("order", (asked, exchange) -> {
            if (++times[0] == 1) {
                asked.forgetNonces();
            } else {
                asked.restoreAnswer("order");
            }
            asked.sendUsualAnswer(exchange);
        });
        server.look();
        assertEquals(0, server.orders().failures());
        assertNotNull(server.current());
        assertEquals(2, times[0]);
    }

    @Test
    void anErrorOfTheAuthorityIsAFailure() {
        authority.on("finalize", AcmeAuthority.answers(500, "serverInternal", "out of order"));
        assertFails("out of order (urn:ietf:params:acme:error:serverInternal)");
        authority.restoreAnswer("finalize");
        assertRecovers();
    }

    @Test
    void aResponseThatIsNotAcmeIsAFailure() {
        authority.on("dir", AcmeAuthority.text(200, "text/html", "<h1>Log in to the hotel's network</h1>"));
        assertFails("the answer of the authority is not ACME: Unexpected content type: text/html");
        authority.on("dir", AcmeAuthority.text(502, "text/html", "<h1>Bad gateway</h1>"));
        server.time.pass(RetryPause.LONGEST);
        assertFails("HTTP 502");
        authority.on("dir", AcmeAuthority.text(200, "application/json", "{\"newNonce\": 7"));
        server.time.pass(RetryPause.LONGEST);
        server.look();
        assertTrue(server.orders().problem().startsWith("the answer of the authority is not ACME: "));
        authority.restoreAnswer("dir");
        assertRecovers();
    }

    @Test
    void aResponseThatIsTooLargeIsAFailure() {
        authority.on("dir", AcmeAuthority.text(200, "application/json", "[" + " ".repeat(2 << 20) + "]"));
        server.look();
        assertTrue(
                server.orders().problem().endsWith("the answer is larger than 1048576 bytes"),
                server.orders().problem());
    }

    @Test
    void anUnreachableAuthorityIsAFailure() throws Exception {
        authority.close();
        server.look();
        assertTrue(
                server.orders().problem().contains("Connect"), server.orders().problem());
    }

    @Test
    void anOrderEndsAtItsTimeLimit() {
        authority.on("dir", AcmeAuthority.hangsInTheBody());
        server.orders().look();
        Awaitility.await().until(() -> authority.requests().contains("dir"));
        server.time.pass(AcmeOrders.LONGEST_ORDER);
        server.orders().look();
        assertFalse(server.orders().isIdle(), "the order ended before its time limit");
        server.time.pass(Duration.ofSeconds(1));
        server.look();
        assertEquals("the order has not ended after 10 minutes", server.orders().problem());
        assertEquals(List.of("dir"), authority.requests(), "two orders ran at the same time");
    }

    @Test
    void closingTheServerEndsAnOrder() throws Exception {
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
        server.look();
        Path account = folder.resolve("account.pem");
        String whole = Files.readString(account);
        for (String damaged :
                List.of("", whole.substring(0, whole.length() / 2), whole.replaceFirst("PUBLIC", "OTHER"))) {
            Files.writeString(account, damaged);
            server.time.pass(Duration.ofDays(80));
            server.look();
            assertEquals(
                    account + " is not a key of an account in the form of this server; delete it to make a new account",
                    server.orders().problem());
        }
        Files.delete(account);
        server.time.pass(Duration.ofDays(1));
        server.look();
        assertEquals("", server.orders().problem());
        assertEquals(2, authority.accounts());
    }

    @Test
    void theProblemIncludesTheConnectionErrorOfTheAuthority() throws Exception {
        int free = FreePort.next();
        authority.offers("http-01", new HttpProof(() -> free));
        server.look();
        String problem = server.orders().problem();
        assertTrue(problem.startsWith("a.example: http-01: java.net.ConnectException"), problem);
        assertTrue(problem.contains("; b.example: http-01: java.net.ConnectException"), problem);
    }
}
