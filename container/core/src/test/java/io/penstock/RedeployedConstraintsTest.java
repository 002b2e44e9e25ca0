package io.penstock;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests security constraints that change with a redeployment. The new constraints also apply to a request whose body is still incomplete
 * when the redeployment happens.
 */
class RedeployedConstraintsTest {
    private static final String ANN = "Authorization: Basic YW5uOnNlY3JldA==";

    @TempDir
    Path folder;

    private static Penstock.Builder local() {
        return Penstock.builder().host("127.0.0.1").port(0).workers(2).realm(GivenRealm.annAndBob());
    }

    private static Consumer<Context> open() {
        return context -> context.servlet("who", new WhoServlet(), "/desk/*");
    }

    private static Consumer<Context> guarded() {
        return open().andThen(context -> context.constrain("/desk/*", "staff").basicLogin("office"));
    }

    private static Consumer<Context> withForm() {
        return open().andThen(context -> context.servlet("login", new LoginFormServlet("login"), "/login")
                .constrain("/desk/*", "staff")
                .formLogin("/login", "/login"));
    }

    private static RawExchange post(Penstock server, String target, String session, String form) throws IOException {
        return RawExchange.of(
                server,
                "POST " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: JSESSIONID=" + session
                        + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length()
                        + "\r\n\r\n" + form);
    }

    private static String session(RawExchange answer) {
        String cookie = answer.values("Set-Cookie").get(0);
        return cookie.substring("JSESSIONID=".length(), cookie.indexOf(';'));
    }

    @Test
    void theConstraintsOfTheNewVersionApplyAfterARedeployment() throws Exception {
        try (Penstock server = local().context("/app", open()).start()) {
            assertEquals(200, RawExchange.get(server, "/app/desk/").status());
            server.deploy("/app", guarded());
            assertEquals(401, RawExchange.get(server, "/app/desk/").status());
            assertEquals(200, RawExchange.get(server, "/app/desk/", ANN).status());
            server.deploy("/app", open());
            assertEquals(200, RawExchange.get(server, "/app/desk/").status());
        }
    }

    @Test
    void theNewConstraintsApplyIfARedeploymentHappensBeforeTheEndOfTheRequestBody() throws Exception {
        try (Penstock server = local().context("/app", open()).start();
                Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            String head = "POST /app/desk/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write((head + "ab").getBytes(StandardCharsets.US_ASCII));
            await().until(() -> server.gauges().get("connections-body") == 1);
            server.deploy("/app", guarded());
            socket.getOutputStream().write("cd".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(answer.startsWith("HTTP/1.1 401 "), answer);
        }
    }

    @Test
    void aRequestSavedDuringAFormLoginIsNotReplayedInTheNewVersion() throws Exception {
        try (Penstock server = local().set("session-dir", folder.toString())
                .context("/app", withForm())
                .start()) {
            String first = session(post(server, "/app/desk/first", "", "a=1"));
            server.deploy("/app", withForm());
            session(post(server, "/app/desk/second", "", "a=2"));
            RawExchange led = post(server, "/app/j_security_check", first, "j_username=ann&j_password=secret");
            assertEquals(List.of("http://x/app/"), led.values("Location"));
        }
    }
}
