package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the methods by which an application reads and changes the login of a user. */
class Servlet61Section133ProgrammaticSecurityTest {
    private Penstock server;

    /** Runs the action that the request path names, and then writes the logged-in user. */
    private static final class Desk extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            String result =
                    switch (request.getServletPath()) {
                        case "/login" -> login(request);
                        case "/begin" -> request.getSession().getId();
                        case "/late" -> late(request, response);
                        case "/twice" -> login(request) + login(request);
                        case "/logout" -> logout(request);
                        case "/authenticate" -> "authenticated " + request.authenticate(response);
                        case "/roles" ->
                            "*=" + request.isUserInRole("*") + " **=" + request.isUserInRole("**") + " null="
                                    + request.isUserInRole(null);
                        case "/session" -> attributes(request.getSession(false));
                        default -> "";
                    };
            if (!response.isCommitted() && response.getStatus() == 200) {
                response.getWriter().print(result + " " + WhoServlet.tell(request));
            }
        }

        private static String login(HttpServletRequest request) {
            try {
                request.login(request.getParameter("name"), request.getParameter("password"));
                return "in ";
            } catch (ServletException e) {
                return "out ";
            }
        }

        private static String late(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("early ");
            response.flushBuffer();
            String result = login(request);
            response.getWriter().print(result + WhoServlet.tell(request));
            return result;
        }

        private static String logout(HttpServletRequest request) throws ServletException {
            request.logout();
            request.logout();
            return "bye";
        }

        private static String attributes(HttpSession session) {
            try {
                session.setAttribute("\0user", "FORM\nroot\nstaff");
                return "forged";
            } catch (IllegalArgumentException e) {
                return Collections.list(session.getAttributeNames()) + " " + session.getAttribute("\0user");
            }
        }
    }

    @BeforeEach
    void start() throws Exception {
        String[] paths = {
            "/login", "/begin", "/late", "/twice", "/logout", "/authenticate", "/roles", "/session", "/show"
        };
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .realm(GivenRealm.annAndBob())
                .context("/", context -> context.servlet("desk", new Desk(), paths))
                .context("/basic", context -> context.servlet("desk", new Desk(), paths)
                        .servlet("staff", new WhoServlet(), "/staff")
                        .constrain("/staff", "staff")
                        .basicLogin("office"))
                .context("/form", context -> context.servlet("desk", new Desk(), paths)
                        .servlet("login page", new LoginFormServlet("page"), "/page")
                        .formLogin("/page", "/page"))
                .context("/certificate", context -> context.servlet("desk", new Desk(), paths)
                        .certificateLogin())
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String get(String target, String... lines) throws IOException {
        return RawExchange.get(server, target, lines).body();
    }

    private static String cookie(RawExchange answer) {
        List<String> cookies = answer.values("Set-Cookie");
        assertEquals(1, cookies.size(), answer.text());
        return "Cookie: " + cookies.get(0).substring(0, cookies.get(0).indexOf(';'));
    }

    @Test
    void aProgrammaticLoginAppliesToTheRequestAndTheSession() throws IOException {
        RawExchange in = RawExchange.get(server, "/login?name=ann&password=secret");
        assertEquals("in  ann/ann/LOGIN/staff=true", in.body());
        assertEquals(" ann/ann/LOGIN/staff=true", get("/show", cookie(in)));
        assertEquals(" null/null/null/staff=false", get("/show"));
    }

    @Test
    void theAuthTypeOfAProgrammaticLoginIsTheLoginMethodOfTheApplication() throws IOException {
        assertEquals("in  ann/ann/BASIC/staff=true", get("/basic/login?name=ann&password=secret"));
        assertEquals("in  ann/ann/FORM/staff=true", get("/form/login?name=ann&password=secret"));
        assertEquals("out  null/null/null/staff=false", get("/certificate/login?name=ann&password=secret"));
    }

    @Test
    void aLoginChangesTheSessionId() throws IOException {
        RawExchange begun = RawExchange.get(server, "/begin");
        RawExchange in = RawExchange.get(server, "/login?name=ann&password=secret", cookie(begun));
        assertNotEquals(cookie(begun), cookie(in));
        assertEquals(" null/null/null/staff=false", get("/show", cookie(begun)));
    }

    @Test
    void aProgrammaticLoginSatisfiesTheConstraints() throws IOException {
        RawExchange in = RawExchange.get(server, "/basic/login?name=ann&password=secret");
        assertEquals("reached by ann/ann/BASIC/staff=true", get("/basic/staff", cookie(in)));
        RawExchange bob = RawExchange.get(server, "/basic/login?name=bob&password=other");
        assertEquals(403, RawExchange.get(server, "/basic/staff", cookie(bob)).status());
    }

    @Test
    void loginThrowsAnExceptionIfThePasswordIsWrongOrMissing() throws IOException {
        for (String wrong :
                new String[] {"?name=ann&password=wrong", "?name=nobody&password=secret", "?name=ann", ""}) {
            RawExchange out = RawExchange.get(server, "/login" + wrong);
            assertEquals("out  null/null/null/staff=false", out.body(), wrong);
            assertEquals(List.of(), out.values("Set-Cookie"), wrong);
        }
    }

    @Test
    void aLoggedInUserCannotLogInAgain() throws IOException {
        assertEquals("in out  ann/ann/LOGIN/staff=true", get("/twice?name=ann&password=secret"));
    }

    @Test
    void aLoginAfterTheResponseIsCommittedAppliesOnlyToTheRequest() throws IOException {
        RawExchange late = RawExchange.get(server, "/late?name=ann&password=secret");
        assertTrue(late.text().contains("in ann/ann/LOGIN/staff=true"), late.text());
        assertEquals(List.of(), late.values("Set-Cookie"));
    }

    @Test
    void aLogoutEndsTheLoginOfTheSession() throws IOException {
        RawExchange in = RawExchange.get(server, "/login?name=ann&password=secret");
        assertEquals("bye null/null/null/staff=false", get("/logout", cookie(in)));
        assertEquals(" null/null/null/staff=false", get("/show", cookie(in)));
        assertEquals("bye null/null/null/staff=false", get("/logout"));
    }

    @Test
    void authenticateUsesTheLoginMethodOfTheApplication() throws IOException {
        RawExchange asked = RawExchange.get(server, "/basic/authenticate");
        assertEquals(401, asked.status());
        assertEquals(1, asked.values("WWW-Authenticate").size());
        assertEquals(
                "authenticated true ann/ann/BASIC/staff=true",
                get("/basic/authenticate", "Authorization: Basic YW5uOnNlY3JldA=="));
        assertEquals("page for null", get("/form/authenticate"));
        assertEquals(403, RawExchange.get(server, "/certificate/authenticate").status());
        assertEquals(500, RawExchange.get(server, "/authenticate").status()); // the application has no login method
    }

    @Test
    void noUserHasTheRoleAsteriskAndEachLoggedInUserHasTheRoleDoubleAsterisk() throws IOException {
        assertEquals("*=false **=false null=false null/null/null/staff=false", get("/roles"));
        RawExchange in = RawExchange.get(server, "/login?name=bob&password=other");
        assertEquals("*=false **=true null=false bob/bob/LOGIN/staff=false", get("/roles", cookie(in)));
    }

    @Test
    void anApplicationCannotReadOrWriteSessionAttributesOfTheContainer() throws IOException {
        RawExchange in = RawExchange.get(server, "/login?name=bob&password=other");
        assertEquals("[] null bob/bob/LOGIN/staff=false", get("/session", cookie(in)));
    }
}
