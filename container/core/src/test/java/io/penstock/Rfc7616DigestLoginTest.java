package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the Digest login over real sockets. With a Digest response, the client proves that it knows the password. Each Digest response is
 * valid for only one request. The test computes the Digest responses itself.
 */
class Rfc7616DigestLoginTest {
    private static final Pattern NONCE = Pattern.compile("nonce=\"([^\"]+)\"");

    private final WhoServlet staff = new WhoServlet();
    private Penstock server;

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .realm(GivenRealm.annAndBob().with("jürgen", "größe", "staff"))
                .context("/", context -> context.servlet("staff", staff, "/staff/*")
                        .constrain("/staff/*", "staff")
                        .digestLogin("office"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String nonce() throws IOException {
        return nonce(RawExchange.get(server, "/staff/"));
    }

    private static String nonce(RawExchange asked) {
        assertEquals(401, asked.status(), asked.text());
        Matcher nonce = NONCE.matcher(asked.values("WWW-Authenticate").get(0));
        assertTrue(nonce.find(), asked.text());
        return nonce.group(1);
    }

    private static String hash(String algorithm, String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the correct {@code Authorization} field for a GET of {@code uri}. */
    private static String login(String algorithm, String user, String password, String nonce, int count, String uri) {
        String nc = "%08x".formatted(count);
        String secret = hash(algorithm, user + ":office:" + password);
        String response =
                hash(algorithm, secret + ":" + nonce + ":" + nc + ":c0ffee:auth:" + hash(algorithm, "GET:" + uri));
        return "Authorization: Digest username=\"" + user + "\", realm=\"office\", nonce=\"" + nonce + "\", uri=\""
                + uri
                + "\", algorithm=" + algorithm + ", nc=" + nc + ", cnonce=\"c0ffee\", qop=auth, response=\"" + response
                + "\"";
    }

    private static String login(String nonce, int count) {
        return login("SHA-256", "ann", "secret", nonce, count, "/staff/");
    }

    @Test
    void aRequestWithoutCredentialsGetsTheSha256ChallengeBeforeTheMd5Challenge() throws IOException {
        List<String> challenges = RawExchange.get(server, "/staff/").values("WWW-Authenticate");
        assertEquals(2, challenges.size());
        assertTrue(
                challenges.get(0).startsWith("Digest realm=\"office\", qop=\"auth\", algorithm=SHA-256, nonce=\""),
                challenges.toString());
        assertTrue(challenges.get(1).contains("algorithm=MD5"), challenges.toString());
        assertNotEquals(nonce(), nonce());
        assertEquals(0, staff.calls());
    }

    @ParameterizedTest
    @ValueSource(strings = {"SHA-256", "MD5"})
    void aCorrectDigestResponseIsAccepted(String algorithm) throws IOException {
        String line = login(algorithm, "ann", "secret", nonce(), 1, "/staff/list?a=b");
        assertEquals(
                "reached by ann/ann/DIGEST/staff=true",
                RawExchange.get(server, "/staff/list?a=b", line).body());
    }

    @Test
    void theUserNameCanBeSentAsUtf8OrInExtendedNotation() throws IOException {
        String line = login("SHA-256", "jürgen", "größe", nonce(), 1, "/staff/");
        String octets = new String(line.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        assertEquals(200, RawExchange.get(server, "/staff/", octets).status());
        String extended = login("SHA-256", "jürgen", "größe", nonce(), 1, "/staff/")
                .replace("username=\"jürgen\"", "username*=UTF-8''j%C3%BCrgen");
        assertEquals(200, RawExchange.get(server, "/staff/", extended).status());
    }

    @Test
    void aUserWithoutTheRequiredRoleGets403() throws IOException {
        String line = login("SHA-256", "bob", "other", nonce(), 1, "/staff/");
        assertEquals(403, RawExchange.get(server, "/staff/", line).status());
    }

    @Test
    void aReplayedDigestResponseIsRefusedAsStale() throws IOException {
        String line = login(nonce(), 1);
        assertEquals(200, RawExchange.get(server, "/staff/", line).status());
        RawExchange again = RawExchange.get(server, "/staff/", line);
        assertEquals(401, again.status());
        assertTrue(again.values("WWW-Authenticate").get(0).contains("stale=true"), again.text());
        assertEquals(1, staff.calls());
    }

    @Test
    void aNonceCountIsAcceptedOutOfOrderButOnlyOnce() throws IOException {
        String nonce = nonce();
        for (int count : new int[] {3, 1, 2, 70, 8}) {
            assertEquals(
                    200, RawExchange.get(server, "/staff/", login(nonce, count)).status(), "nonce count " + count);
        }
        for (int count : new int[] {3, 1, 70, 5, 0}) { // 5 was not used, but it is too far below 70
            assertEquals(
                    401, RawExchange.get(server, "/staff/", login(nonce, count)).status(), "nonce count " + count);
        }
    }

    @Test
    void aDigestResponseForAnotherTargetGets400() throws IOException {
        String line = login("SHA-256", "ann", "secret", nonce(), 1, "/other");
        assertEquals(400, RawExchange.get(server, "/staff/", line).status());
        assertEquals(0, staff.calls());
    }

    @Test
    void aDigestResponseForAnotherMethodGets401() throws IOException {
        String bytes = "DELETE /staff/ HTTP/1.1\r\nHost: a\r\n" + login(nonce(), 1) + "\r\nConnection: close\r\n\r\n";
        assertEquals(401, RawExchange.of(server, bytes).status());
        assertEquals(0, staff.calls());
    }

    @Test
    void aNonceIsReportedAsStaleIfTheServerDidNotIssueIt() throws IOException {
        for (String nonce : new String[] {"x", "A".repeat(43), "not base64 at all", "A".repeat(4000)}) {
            RawExchange asked = RawExchange.get(server, "/staff/", login(nonce, 1));
            assertEquals(401, asked.status(), nonce);
            assertTrue(asked.values("WWW-Authenticate").get(0).contains("stale=true"), asked.text());
        }
        assertEquals(0, staff.calls());
    }

    @Test
    void aRequestWithMissingOrWrongDigestParametersGetsANewChallenge() throws IOException {
        String right = login(nonce(), 1);
        for (String wrong : new String[] {
            right.replace("username=\"ann\"", "username=\"bob\""),
            right.replace("username=\"ann\"", "username=\"nobody\""),
            right.replace("username=\"ann\", ", ""),
            right.replace("username=\"ann\"", "username=\"ann\", username=\"bob\""),
            right.replace("realm=\"office\"", "realm=\"other\""),
            right.replace("nc=00000001", "nc=00000002"),
            right.replace("nc=00000001", "nc=1"),
            right.replace(", nc=00000001", ""),
            right.replace("cnonce=\"c0ffee\"", "cnonce=\"\""),
            right.replace("qop=auth", "qop=auth-int"),
            right.replace(", qop=auth", ""),
            right.replace("algorithm=SHA-256", "algorithm=SHA-256-sess"),
            right.replace("algorithm=SHA-256", "algorithm=MD5"),
            right.replace(", algorithm=SHA-256", ""),
            right.replaceAll("response=\"[^\"]*\"", "response=\"\""),
            right.replaceAll("response=\"", "response=\"0"),
            right.substring(0, right.length() - 1),
            right + ", ,=",
            "Authorization: Digest",
            "Authorization: Digest " + ",".repeat(5000)
        }) {
            RawExchange asked = RawExchange.get(server, "/staff/", wrong);
            assertEquals(401, asked.status(), wrong);
            assertFalse(asked.values("WWW-Authenticate").isEmpty(), wrong);
        }
        assertEquals(0, staff.calls());
        assertEquals(200, RawExchange.get(server, "/staff/", right).status());
    }
}
