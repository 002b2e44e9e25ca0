package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.penstock.realm.Realm;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No user is logged in if the realm fails. The tests try each kind of failure with each login method. */
class FailingRealmTest {
    private static final String FORM = "j_username=ann&j_password=secret";

    private final WhoServlet staff = new WhoServlet();

    /** The kinds of failures of a realm. */
    enum Failure {
        RUNTIME(() -> new IllegalStateException("database password is hunter2")),
        CHECKED(() -> new IOException("database password is hunter2")),
        ERROR(() -> new StackOverflowError("database password is hunter2")),
        MISSING(() -> new NoClassDefFoundError("some/Driver"));

        private final Supplier<Throwable> made;

        Failure(Supplier<Throwable> made) {
            this.made = made;
        }
    }

    private record Broken(Failure failure) implements Realm {
        @Override
        public @Nullable User authenticate(String name, String password) throws Exception {
            throw fail();
        }

        @Override
        public @Nullable DigestUser digest(String name, String realm, String algorithm) throws Exception {
            throw fail();
        }

        private Exception fail() {
            Throwable thrown = failure.made.get();
            if (thrown instanceof Error error) {
                throw error;
            }
            return (Exception) thrown;
        }
    }

    /** Catches and ignores all exceptions of {@code login}. */
    private static final class Careless extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                request.login("ann", "secret");
            } catch (ServletException | RuntimeException | Error e) {
                response.getWriter().print("failed, ");
            }
            response.getWriter().print(WhoServlet.tell(request));
        }
    }

    private void assertNoUserIsLoggedIn(RawExchange answer) {
        assertEquals(500, answer.status(), answer.text());
        assertFalse(answer.text().contains("hunter2"), answer.text());
        assertEquals(0, staff.calls());
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void noUserIsLoggedInIfTheRealmFailsDuringBasicLogin(Failure failure) throws Exception {
        try (Penstock server = start(failure, Login.BASIC)) {
            for (int i = 0; i < 20; i++) {
                assertNoUserIsLoggedIn(RawExchange.get(server, "/staff", "Authorization: Basic YW5uOnNlY3JldA=="));
            }
            assertEquals(0, server.counters().get("login-failures"));
            assertEquals(401, RawExchange.get(server, "/staff").status());
        }
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void noUserIsLoggedInIfTheRealmFailsDuringDigestLogin(Failure failure) throws Exception {
        try (Penstock server = start(failure, Login.DIGEST)) {
            assertNoUserIsLoggedIn(RawExchange.get(
                    server,
                    "/staff",
                    "Authorization: Digest username=\"ann\", realm=\"office\", nonce=\"x\", uri=\"/staff\","
                            + " nc=00000001, cnonce=\"y\", qop=auth, response=\"z\""));
        }
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void noUserIsLoggedInIfTheRealmFailsDuringFormLogin(Failure failure) throws Exception {
        try (Penstock server = start(failure, Login.FORM)) {
            RawExchange answer = RawExchange.of(
                    server,
                    "POST /j_security_check HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                            + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + FORM.length()
                            + "\r\n\r\n" + FORM);
            assertNoUserIsLoggedIn(answer);
        }
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void noUserIsLoggedInIfTheRealmFailsDuringProgrammaticLogin(Failure failure) throws Exception {
        try (Penstock server = start(failure, Login.BASIC)) {
            assertEquals(
                    "failed, null/null/null/staff=false",
                    RawExchange.get(server, "/careless").body());
        }
    }

    @Test
    void noUserIsLoggedInWithoutARealm() throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/", context -> context.servlet("staff", staff, "/staff")
                        .constrain("/staff", "**")
                        .basicLogin("office"))
                .start()) {
            assertEquals(
                    401,
                    RawExchange.get(server, "/staff", "Authorization: Basic YW5uOnNlY3JldA==")
                            .status());
        }
    }

    @Test
    void noUserIsLoggedInWithoutALoginMethod() throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .realm(GivenRealm.annAndBob())
                .context("/", context -> context.servlet("staff", staff, "/staff")
                        .constrain("/staff", "**"))
                .start()) {
            assertEquals(
                    403,
                    RawExchange.get(server, "/staff", "Authorization: Basic YW5uOnNlY3JldA==")
                            .status());
            assertEquals(0, staff.calls());
        }
    }

    private enum Login {
        BASIC,
        DIGEST,
        FORM
    }

    private Penstock start(Failure failure, Login login) throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .realm(new Broken(failure))
                .context("/", context -> {
                    context.servlet("staff", staff, "/staff")
                            .servlet("careless", new Careless(), "/careless")
                            .servlet("page", new LoginFormServlet("page"), "/page")
                            .constrain("/staff", "staff");
                    switch (login) {
                        case BASIC -> context.basicLogin("office");
                        case DIGEST -> context.digestLogin("office");
                        case FORM -> context.formLogin("/page", "/page");
                    }
                })
                .start();
    }
}
