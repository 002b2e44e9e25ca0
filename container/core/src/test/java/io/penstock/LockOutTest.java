package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** Too many failed logins cause a lock-out. During a lock-out the server does not check passwords. The tests use real sockets. */
class LockOutTest {
    private final GivenRealm realm = GivenRealm.annAndBob();

    /** Calls {@code login} with the name and password from the request parameters. */
    private static final class Gate extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                request.login(request.getParameter("name"), request.getParameter("password"));
                response.getWriter().print("in");
            } catch (ServletException e) {
                response.getWriter().print("out");
            }
        }
    }

    /** Logs in with a name of two megabytes, and answers with the bytes that the thread has allocated for it. */
    private static final class LongName extends HttpServlet {
        private static final String NAME = "\uFDFA".repeat(700_000);

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            try {
                request.login(NAME, "x");
            } catch (ServletException e) {
                response.getWriter().print(threads.getCurrentThreadAllocatedBytes() - before);
            }
        }
    }

    private Penstock start(String ofUser, String ofAddress) throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("login-failures-user", ofUser)
                .set("login-failures-address", ofAddress)
                .realm(realm)
                .context("/", context -> context.servlet("staff", new WhoServlet(), "/staff")
                        .servlet("gate", new Gate(), "/gate")
                        .servlet("long", new LongName(), "/long")
                        .constrain("/staff", "staff")
                        .basicLogin("office"))
                .context("/other", context -> context.servlet("staff", new WhoServlet(), "/staff")
                        .constrain("/staff", "staff")
                        .basicLogin("office"))
                .context("/form", context -> context.servlet("staff", new WhoServlet(), "/staff")
                        .servlet("page", new LoginFormServlet("page"), "/login", "/error")
                        .constrain("/staff", "staff")
                        .formLogin("/login", "/error"))
                .start();
    }

    private static RawExchange form(Penstock server, String password) throws IOException {
        String form = "j_username=ann&j_password=" + password;
        return RawExchange.of(
                server,
                "POST /form/j_security_check HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length()
                        + "\r\n\r\n" + form);
    }

    private static RawExchange as(Penstock server, String target, String pair) throws IOException {
        String encoded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        return RawExchange.get(server, target, "Authorization: Basic " + encoded);
    }

    @Test
    void aUserNameIsLockedOutAfterTooManyFailedLogins() throws Exception {
        try (Penstock server = start("3", "0")) {
            for (int i = 0; i < 3; i++) {
                assertEquals(401, as(server, "/staff", "ann:wrong" + i).status());
            }
            int callsBefore = realm.calls();
            RawExchange locked = as(server, "/staff", "ann:secret");
            assertEquals(429, locked.status());
            int seconds = Integer.parseInt(locked.values("Retry-After").get(0));
            assertTrue(seconds > 290 && seconds <= 300, "Retry-After in seconds: " + seconds);
            assertEquals(429, as(server, "/other/staff", "ann:secret").status());
            assertEquals(
                    "out",
                    RawExchange.get(server, "/gate?name=ann&password=secret").body());
            assertEquals(callsBefore, realm.calls());
            assertEquals(3, server.counters().get("logins-locked-out"));
            assertEquals(3, server.counters().get("login-failures"));
            assertEquals(403, as(server, "/staff", "bob:other").status()); // bob is not locked out
        }
    }

    @Test
    void aFormLoginOfALockedOutUserGetsTheErrorPageWithoutAPasswordCheck() throws Exception {
        try (Penstock server = start("2", "0")) {
            assertEquals(303, form(server, "secret").status());
            assertEquals(200, form(server, "wrong").status());
            assertEquals(200, form(server, "worse").status());
            int callsBefore = realm.calls();
            assertEquals(200, form(server, "secret").status());
            assertEquals(callsBefore, realm.calls());
            assertEquals(429, as(server, "/staff", "ann:secret").status());
        }
    }

    @Test
    void anUnknownUserNameIsAlsoLockedOut() throws Exception {
        try (Penstock server = start("2", "0")) {
            assertEquals(401, as(server, "/staff", "nobody:x").status());
            assertEquals(
                    "out",
                    RawExchange.get(server, "/gate?name=nobody&password=x").body());
            assertEquals(429, as(server, "/staff", "nobody:x").status());
        }
    }

    @Test
    void aSuccessfulLoginResetsTheFailureCountOfTheUserName() throws Exception {
        try (Penstock server = start("2", "0")) {
            for (int i = 0; i < 5; i++) {
                assertEquals(401, as(server, "/staff", "ann:wrong").status());
                assertEquals(200, as(server, "/staff", "ann:secret").status());
            }
        }
    }

    @Test
    void anAddressIsLockedOutForAllUserNamesAfterTooManyFailedLogins() throws Exception {
        try (Penstock server = start("0", "4")) {
            for (int i = 0; i < 4; i++) {
                assertEquals(401, as(server, "/staff", "guess" + i + ":x").status());
            }
            assertEquals(429, as(server, "/staff", "ann:secret").status());
        }
    }

    @Test
    void aSuccessfulLoginDoesNotResetTheFailureCountOfTheAddress() throws Exception {
        try (Penstock server = start("0", "3")) {
            for (int i = 0; i < 3; i++) {
                assertEquals(200, as(server, "/staff", "ann:secret").status());
                assertEquals(401, as(server, "/staff", "bob:guess" + i).status());
            }
            assertEquals(429, as(server, "/staff", "ann:secret").status());
        }
    }

    /** In the spelling that is compared, this character is eighteen. A form may have a name of two megabytes. */
    @Test
    void theNameOfALoginNeedsNotMuchMoreMemoryThanItsText() throws Exception {
        try (Penstock server = start("2", "0")) {
            assertEquals(
                    "out",
                    RawExchange.get(server, "/gate?name=nobody&password=x").body());
            long bytes = Long.parseLong(RawExchange.get(server, "/long").body());
            assertTrue(bytes < 64 << 20, "bytes: " + bytes);
        }
    }
}
