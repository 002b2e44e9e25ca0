package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.certificates.Issued;
import io.penstock.realm.PasswordHash;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the reload of settings while the server runs. A reload applies all settings that do not need a restart. If one setting is invalid,
 * the reload changes nothing.
 */
class ReloadTest {
    private static final Issued FIRST = Issued.self(Issued.EC, "same.example");
    private static final Issued SECOND = Issued.self(Issued.EC, "same.example");

    @TempDir
    Path folder;

    private final Map<String, String> settings = new TreeMap<>();
    private Path certificate;
    private Path rules;
    private Path users;

    @BeforeEach
    void files() throws IOException {
        certificate = write("both.pem", FIRST.pem() + FIRST.keyPem());
        rules = write("rules.txt", "/* X-Version: one\n");
        users = write("users", user("ann", "first"));
        settings.put("host", "127.0.0.1");
        settings.put("port", "0");
        settings.put("workers", "2");
        settings.put("response-rules", rules.toString());
        settings.put("realm-file", users.toString());
        settings.put("trusted-proxies", "127.0.0.1");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static String user(String name, String password) {
        return name + ":" + PasswordHash.of(password, 1000).text() + ":staff\n";
    }

    private Penstock.Builder builder() {
        Penstock.Builder builder = Penstock.builder();
        settings.forEach(builder::set);
        return builder;
    }

    private Penstock start() throws StartException {
        return builder()
                .context("/app", context -> context.servlet("who", new WhoServlet(), "/who", "/staff")
                        .constrain("/staff", "staff")
                        .basicLogin("app"))
                .start();
    }

    private Penstock startOverTls() throws StartException {
        settings.put("tls-cert", certificate.toString());
        settings.put("tls-reload-interval", "0s");
        return start();
    }

    private static String login(String pair) {
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII));
    }

    private static Certificate certificate(Penstock server) throws Exception {
        try (HttpsClient client = new HttpsClient(server.port(), "same.example")) {
            client.get("same.example", "/app/who");
            return client.socket().getSession().getPeerCertificates()[0];
        }
    }

    @Test
    void aReloadAppliesChangesOfResponseRulesAndUsersAndDeniedAddresses() throws Exception {
        try (Penstock server = start()) {
            assertEquals(List.of("one"), RawExchange.get(server, "/app/who").values("X-Version"));
            assertEquals(
                    200,
                    RawExchange.get(server, "/app/staff", login("ann:first")).status());
            write("rules.txt", "/* X-Version: two\n/app/* Access-Control-Allow-Origin: *\n");
            write("users", user("ann", "second") + user("bob", "third"));
            settings.put("denied-addresses", "192.0.2.0/24");
            assertEquals(List.of(), server.reload(builder()));
            RawExchange answer = RawExchange.get(server, "/app/who");
            assertEquals(List.of("two"), answer.values("X-Version"));
            assertEquals(List.of("*"), answer.values("Access-Control-Allow-Origin"));
            assertEquals(
                    401,
                    RawExchange.get(server, "/app/staff", login("ann:first")).status());
            assertEquals(
                    200,
                    RawExchange.get(server, "/app/staff", login("ann:second")).status());
            assertEquals(
                    200,
                    RawExchange.get(server, "/app/staff", login("bob:third")).status());
            assertEquals(
                    403,
                    RawExchange.get(server, "/app/who", "X-Forwarded-For: 192.0.2.7")
                            .status());
            settings.put("denied-addresses", "none");
            settings.put("response-rules", "none");
            assertEquals(List.of(), server.reload(builder()));
            RawExchange last = RawExchange.get(server, "/app/who", "X-Forwarded-For: 192.0.2.7");
            assertEquals(200, last.status());
            assertEquals(List.of(), last.values("X-Version"));
        }
    }

    @Test
    void aReloadAlsoAppliesToOpenConnections() throws Exception {
        try (Penstock server = startOverTls();
                HttpsClient client = new HttpsClient(server.port(), "same.example")) {
            assertEquals(List.of("one"), client.get("same.example", "/app/who").values("X-Version"));
            write("rules.txt", "/* X-Version: two\n");
            settings.put("denied-addresses", "127.0.0.1");
            assertEquals(List.of(), server.reload(builder()));
            RawExchange refused = client.get("same.example", "/app/who");
            assertEquals(403, refused.status());
            assertEquals(List.of("two"), refused.values("X-Version"));
        }
    }

    @Test
    void newConnectionsGetTheNewCertificateAfterAReload() throws Exception {
        try (Penstock server = startOverTls()) {
            assertEquals(FIRST.certificate(), certificate(server));
            write("both.pem", SECOND.pem() + SECOND.keyPem());
            assertEquals(List.of(), server.reload(builder()));
            assertEquals(SECOND.certificate(), certificate(server));
            assertEquals("the files have not changed", server.reloadCertificates());
        }
    }

    /** Each reload contains one invalid setting and several valid changes of other settings. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rules.txt | /* Date: x       | response-rules: %s/rules.txt:1: Date is not for rules: the server or the application sets it for each response",
                "users     | ann              | realm-file: %s/users:1: not of the form name:secrets:role,role",
                "both.pem  | nothing          | ",
                "          | request-rate=-1  | request-rate must be at least 0, not -1 (from code)",
                "          | denied-addresses=x | ",
                "          | no-such-key=1    | unknown key 'no-such-key' (from code) (more: docs/configuration.md#keys)",
                "          | response-rules=none.txt | response-rules: none.txt: no such file",
            })
    void aReloadWithAnInvalidSettingChangesNothing(String file, String wrong, String expected) throws Exception {
        try (Penstock server = startOverTls()) {
            write("rules.txt", "/* X-Version: two\n");
            write("both.pem", SECOND.pem() + SECOND.keyPem());
            settings.put("denied-addresses", "127.0.0.1");
            if (file == null) {
                String[] keyAndValue = wrong.split("=");
                settings.put(keyAndValue[0], keyAndValue[1]);
            } else {
                write(file, wrong);
            }
            ReloadException refused = assertThrows(ReloadException.class, () -> server.reload(builder()));
            if (expected != null) {
                assertEquals(expected.replace("%s", folder.toString()), refused.getMessage());
            }
            assertFalse(refused.getMessage().contains("\n"), refused.getMessage());
            assertEquals(FIRST.certificate(), certificate(server));
            try (HttpsClient client = new HttpsClient(server.port(), "same.example")) {
                RawExchange answer = client.get("same.example", "/app/who");
                assertEquals(200, answer.status());
                assertEquals(List.of("one"), answer.values("X-Version"));
            }
        }
    }

    @Test
    void aReloadReturnsTheKeysThatNeedARestartAndAppliesAllOtherKeys() throws Exception {
        settings.put("/app:compression", "off");
        try (Penstock server = start()) {
            settings.put("workers", "3");
            settings.put("head-timeout", "7s");
            settings.put("/app:compression", "on");
            settings.put("/app:try-files", "/x.html");
            settings.put("port", Integer.toString(server.port()));
            write("rules.txt", "/* X-Version: two\n");
            List<String> names = List.of("port", "head-timeout", "workers", "/app:compression", "/app:try-files");
            for (int i = 0; i < 2; i++) { // each reload returns these keys until the restart
                List<String> named = server.reload(builder());
                assertEquals(names.size(), named.size(), named.toString());
                assertTrue(named.containsAll(names), named.toString());
            }
            assertEquals(List.of("two"), RawExchange.get(server, "/app/who").values("X-Version"));
        }
    }

    @Test
    void aReloadDoesNotResetTheRequestCountsIfTheRateLimitIsUnchanged() throws Exception {
        settings.put("request-rate", "1");
        settings.put("request-burst", "1000000");
        settings.put("denied-addresses", "192.0.2.7");
        String client = "X-Forwarded-For: 192.0.2.1";
        try (Penstock server = start()) {
            assertEquals(200, RawExchange.get(server, "/app/who", client).status());
            settings.put("request-burst", "1");
            assertEquals(List.of(), server.reload(builder()));
            int status = RawExchange.get(server, "/app/who", client).status();
            assertEquals(200, status, "a change of request-burst must reset the count");
            // The limit is one request per second. On a busy machine two requests can be more than a second apart, and
            // the server then allows both requests. So the loop sends requests until the server refuses a request.
            for (int i = 0; status == 200 && i < 1000; i++) {
                settings.put("denied-addresses", "192.0.2." + (i % 100 + 100));
                assertEquals(List.of(), server.reload(builder()));
                status = RawExchange.get(server, "/app/who", client).status();
            }
            assertEquals(429, status);
            settings.put("request-rate", "0");
            assertEquals(List.of(), server.reload(builder()));
            assertEquals(200, RawExchange.get(server, "/app/who", client).status());
        }
    }

    @Test
    void aReloadAppliesTheLimitOfConnectionsPerAddress() throws Exception {
        settings.remove("trusted-proxies");
        try (Penstock server = start()) {
            settings.put("max-connections-address", "1");
            assertEquals(List.of(), server.reload(builder()));
            try (Socket open = new Socket("127.0.0.1", server.port())) {
                Awaitility.await().until(() -> server.gauges().get("connections") == 1);
                assertTrue(open.isConnected());
                assertEquals(429, RawExchange.get(server, "/app/who").status());
                settings.put("max-connections-address", "2");
                assertEquals(List.of(), server.reload(builder()));
                assertEquals(200, RawExchange.get(server, "/app/who").status());
                settings.put("max-connections-address", "0");
                assertEquals(List.of(), server.reload(builder()));
                assertEquals(200, RawExchange.get(server, "/app/who").status());
            }
        }
    }

    /** The rules file adds ten fields to each response. During reloads, all ten fields of a response must have the same version. */
    @Test
    void noResponseMixesOldAndNewRulesDuringAReload() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answers = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool();
        rules(0);
        try (Penstock server = start()) {
            List<Future<?>> clients = new ArrayList<>();
            for (String path : List.of("/app/who", "/none", "/app/none")) {
                clients.add(threads.submit(() -> {
                    while (!over.get()) {
                        assertOneVersion(RawExchange.get(server, path));
                        answers.incrementAndGet();
                    }
                    return null;
                }));
            }
            for (int version = 1; version <= 100; version++) {
                rules(version);
                settings.put("denied-addresses", "192.0.2." + version);
                assertEquals(List.of(), server.reload(builder()));
                assertEquals(version, assertOneVersion(RawExchange.get(server, "/app/who")));
                int before = answers.get();
                Awaitility.await()
                        .until(() -> answers.get() > before || clients.stream().anyMatch(Future::isDone));
            }
            over.set(true);
            for (Future<?> client : clients) {
                client.get(PromptWaits.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            over.set(true);
            threads.shutdown();
        }
    }

    private void rules(int version) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            text.append("/* X-Version-").append(i).append(": ").append(version).append('\n');
        }
        write("rules.txt", text.toString());
    }

    private static int assertOneVersion(RawExchange answer) {
        List<String> first = answer.values("X-Version-0");
        assertEquals(1, first.size(), answer.head());
        for (int i = 1; i < 10; i++) {
            assertEquals(first, answer.values("X-Version-" + i), answer.head());
        }
        return Integer.parseInt(first.get(0));
    }
}
