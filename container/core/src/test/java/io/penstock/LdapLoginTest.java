package io.penstock;

import static io.penstock.ldap.TestDirectory.PEOPLE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import io.penstock.ldap.TestDirectory;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests logins at a server whose users are in a directory. */
class LdapLoginTest {
    private static final String ANN = basic("ann:secret");

    private static String basic(String pair) {
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    private static Penstock.Builder builder(TestDirectory directory) {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(4)
                .set("realm-ldap-url", directory.url())
                .set("realm-ldap-connect-timeout", "60s")
                .set("realm-ldap-read-timeout", "60s")
                .set("realm-ldap-user-pattern", "uid={0}," + PEOPLE)
                .set("realm-ldap-role-base", TestDirectory.GROUPS);
    }

    private static Penstock start(TestDirectory directory, String remembered) throws StartException {
        return builder(directory)
                .set("realm-ldap-remembered", remembered)
                .set("password-checks", "1")
                .context("/", context -> context.servlet("staff", new WhoServlet(), "/staff")
                        .servlet("free", new WhoServlet(), "/free")
                        .constrain("/staff", "staff")
                        .basicLogin("office"))
                .start();
    }

    @Test
    void requestsWithBasicAskTheDirectoryOnce() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn();
                Penstock server = start(directory, "1h")) {
            directory.person("eve", "secret");
            for (int i = 0; i < 3; i++) {
                assertEquals(200, RawExchange.get(server, "/staff", ANN).status());
            }
            assertEquals(1, directory.checks());
            assertEquals(401, RawExchange.get(server, "/staff", basic("ann:")).status());
            assertEquals(1, directory.checks());
            assertEquals(
                    401, RawExchange.get(server, "/staff", basic("ann:wrong")).status());
            assertEquals(
                    403, RawExchange.get(server, "/staff", basic("eve:secret")).status());
        }
    }

    @Test
    void withoutAnAnswerOfTheDirectoryTheRequestFailsAndTheNextTriesAgain() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn();
                Penstock server = start(directory, "0s")) {
            assertEquals(200, RawExchange.get(server, "/staff", ANN).status());
            directory.server().shutDown(true);
            assertEquals(500, RawExchange.get(server, "/staff", ANN).status());
            assertEquals(0, server.counters().get("login-failures"));
            directory.server().startListening();
            assertEquals(200, RawExchange.get(server, "/staff", ANN).status());
            directory
                    .server()
                    .modify("uid=ann," + PEOPLE, new Modification(ModificationType.REPLACE, "userPassword", "new"));
            assertEquals(401, RawExchange.get(server, "/staff", ANN).status());
        }
    }

    @Test
    void aSlowDirectoryHoldsNoMoreWorkersThanPasswordChecksPermits() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn();
                Penstock server = start(directory, "0s")) {
            assertEquals(200, RawExchange.get(server, "/staff", ANN).status());
            CountDownLatch barrier = new CountDownLatch(1);
            directory.barrier.set(barrier);
            try (Socket waiting = new Socket("127.0.0.1", server.port())) {
                waiting.getOutputStream()
                        .write(("GET /staff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + ANN + "\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                await().untilAsserted(() -> assertEquals(2, directory.checks()));
                // This password was right before, but the realm does not remember it.
                assertEquals(503, RawExchange.get(server, "/staff", ANN).status());
                assertEquals(
                        503,
                        RawExchange.get(server, "/staff", basic("bob:other")).status());
                assertEquals(200, RawExchange.get(server, "/free").status());
                barrier.countDown();
                String answer = new String(waiting.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
                assertEquals("HTTP/1.1 200", answer.substring(0, 12));
            } finally {
                barrier.countDown();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"DIGEST", "CLIENT-CERT"})
    void anApplicationWithALoginThatADirectoryCannotCheckIsReported(String method) throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            List<String> problems = builder(directory)
                    .context("/", context -> {
                        context.servlet("staff", new WhoServlet(), "/staff");
                        if (method.equals("DIGEST")) {
                            context.digestLogin("office");
                        } else {
                            context.certificateLogin();
                        }
                    })
                    .check();
            assertEquals(1, problems.size(), problems.toString());
            assertEquals(
                    "<auth-method> " + method + " does not work with users of a directory (realm-ldap-url), which"
                            + " checks passwords only: use BASIC or FORM",
                    problems.get(0).substring(problems.get(0).indexOf("<auth-method>")));
        }
    }

    @Test
    void aRealmOfTheProgramOrAMalformedNameIsReported() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            assertEquals(
                    List.of("realm-ldap-url is set, and the program has a realm of its own"),
                    builder(directory).realm((name, password) -> null).check());
            assertEquals(
                    List.of("realm-ldap-role-base has a malformed DN: 'groups'"),
                    builder(directory).set("realm-ldap-role-base", "groups").check());
        }
    }
}
