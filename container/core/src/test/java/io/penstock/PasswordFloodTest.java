package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.realm.Realm;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Clients send more passwords at the same time than {@code password-checks} permits, and each check takes long. The server must still serve
 * other clients.
 */
class PasswordFloodTest {
    private final SlowRealm realm = new SlowRealm();

    /** Accepts the password of Ann immediately. The check of any other password blocks until the test opens a latch. */
    private static final class SlowRealm implements Realm {
        private final CountDownLatch released = new CountDownLatch(1);
        private final AtomicInteger checking = new AtomicInteger();

        @Override
        public @Nullable User authenticate(String name, String password) throws InterruptedException {
            if (name.equals("ann") && password.equals("secret")) {
                return new User(name, Set.of("staff"));
            }
            checking.incrementAndGet();
            try {
                released.await();
            } finally {
                checking.decrementAndGet();
            }
            return null;
        }
    }

    /** Calls {@code login} with the name and password from the request parameters, and writes the result. */
    private static final class Gate extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                request.login(request.getParameter("name"), request.getParameter("password"));
                response.getWriter().print("in");
            } catch (ServletException e) {
                response.getWriter().print(e.getMessage());
            }
        }
    }

    private Penstock start(int workers, int checks) throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(workers)
                .set("password-checks", Integer.toString(checks))
                .realm(realm)
                .context("/", context -> context.servlet("staff", new WhoServlet(), "/staff")
                        .servlet("gate", new Gate(), "/gate")
                        .servlet("free", new WhoServlet(), "/free")
                        .constrain("/staff", "staff")
                        .basicLogin("office"))
                .context("/form", context -> context.servlet("staff", new WhoServlet(), "/staff")
                        .servlet("page", new LoginFormServlet("page"), "/login", "/error")
                        .constrain("/staff", "staff")
                        .formLogin("/login", "/error"))
                .start();
    }

    private static String basic(String pair) {
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends a wrong password from the local address {@code from}, and does not wait for the response. */
    private static Socket guess(Penstock server, String from, String name) throws IOException {
        Socket socket = new Socket("127.0.0.1", server.port(), InetAddress.getByName(from), 0);
        socket.getOutputStream()
                .write(("GET /staff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + basic(name + ":wrong") + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String answer(Socket guess) throws IOException {
        return new String(guess.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    private void awaitChecks(int count) {
        await().untilAsserted(() -> assertEquals(count, realm.checking.get()));
    }

    private static RawExchange sendForm(Penstock server, String name, String password) throws IOException {
        String form = "j_username=" + name + "&j_password=" + password;
        return RawExchange.of(
                server,
                "POST /form/j_security_check HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length()
                        + "\r\n\r\n" + form);
    }

    private static void assertRefusedWithRetryAfter(RawExchange answer) {
        assertEquals(503, answer.status());
        assertEquals(List.of("1"), answer.values("Retry-After"));
    }

    @Test
    void passwordChecksAboveTheLimitAreRefusedForEachLoginMethod() throws Exception {
        try (Penstock server = start(2, 1);
                Socket first = guess(server, "127.0.0.2", "guess")) {
            awaitChecks(1);
            assertRefusedWithRetryAfter(RawExchange.get(server, "/staff", basic("bob:wrong")));
            assertRefusedWithRetryAfter(sendForm(server, "bob", "wrong"));
            assertEquals(
                    "The server checks too many passwords at the moment; try again in a second",
                    RawExchange.get(server, "/gate?name=bob&password=wrong").body());
            assertEquals(200, RawExchange.get(server, "/free").status());
            assertEquals(3, server.counters().get("password-checks-refused"));
            assertEquals(0, server.counters().get("login-failures")); // the server did not check these passwords
            realm.released.countDown();
            assertEquals("HTTP/1.1 401", answer(first).substring(0, 12));
            assertEquals(
                    401, RawExchange.get(server, "/staff", basic("bob:wrong")).status());
        }
    }

    @Test
    void theClientsOfOneAddressUseAtMostHalfOfThePasswordChecks() throws Exception {
        List<Socket> guesses = new ArrayList<>();
        try (Penstock server = start(8, 4)) {
            try {
                guesses.add(guess(server, "127.0.0.2", "one"));
                guesses.add(guess(server, "127.0.0.2", "two"));
                awaitChecks(2);
                guesses.add(guess(server, "127.0.0.2", "three"));
                assertEquals("HTTP/1.1 503", answer(guesses.get(2)).substring(0, 12));
                assertEquals(
                        200,
                        RawExchange.get(server, "/staff", basic("ann:secret")).status());
                guesses.add(guess(server, "127.0.0.3", "four"));
                guesses.add(guess(server, "127.0.0.3", "five"));
                awaitChecks(4);
                assertEquals(200, RawExchange.get(server, "/free").status());
            } finally {
                realm.released.countDown();
                for (Socket guess : guesses) {
                    guess.close();
                }
            }
        }
    }

    @Test
    void eachLoginMethodAcceptsAPreviouslyAcceptedPasswordWithoutAnotherCheck() throws Exception {
        try (Penstock server = start(2, 1)) {
            assertEquals(
                    200, RawExchange.get(server, "/staff", basic("ann:secret")).status());
            try (Socket first = guess(server, "127.0.0.1", "guess")) {
                awaitChecks(1);
                for (int i = 0; i < 3; i++) {
                    assertEquals(
                            200,
                            RawExchange.get(server, "/staff", basic("ann:secret"))
                                    .status());
                    assertEquals(303, sendForm(server, "ann", "secret").status());
                    assertEquals(
                            "in",
                            RawExchange.get(server, "/gate?name=ann&password=secret")
                                    .body());
                }
                assertRefusedWithRetryAfter(RawExchange.get(server, "/staff", basic("ann:wrong")));
                assertRefusedWithRetryAfter(sendForm(server, "ann", "wrong"));
                realm.released.countDown();
                assertEquals("HTTP/1.1 401", answer(first).substring(0, 12));
            }
        }
    }
}
