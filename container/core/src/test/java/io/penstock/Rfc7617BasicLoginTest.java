package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the Basic login over real sockets. The client sends the name and the password in each request. */
class Rfc7617BasicLoginTest {
    private final WhoServlet staff = new WhoServlet();
    private final WhoServlet open = new WhoServlet();
    private final GivenRealm realm = GivenRealm.annAndBob().with("jürgen", "pä:ß", "staff");
    private Penstock server;

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("trace-method", "on")
                .realm(realm)
                .context("/", context -> context.servlet("staff", staff, "/staff/*")
                        .servlet("open", open, "/open")
                        .servlet("nobody", new WhoServlet(), "/nobody")
                        .constrain("/staff/*", "staff")
                        .constrain("/nobody")
                        .basicLogin("the \"back\" office"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String basic(String pair) {
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aRequestWithoutCredentialsGetsAChallenge() throws IOException {
        RawExchange asked = RawExchange.get(server, "/staff/list");
        assertEquals(401, asked.status());
        assertEquals(
                List.of("Basic realm=\"the \\\"back\\\" office\", charset=\"UTF-8\""),
                asked.values("WWW-Authenticate"));
        assertEquals(0, staff.calls());
    }

    @Test
    void theCorrectPasswordIsAccepted() throws IOException {
        RawExchange shown = RawExchange.get(server, "/staff/list", basic("ann:secret"));
        assertEquals("reached by ann/ann/BASIC/staff=true", shown.body());
        assertEquals(List.of("private"), shown.values("Cache-Control"));
        assertEquals(List.of(), shown.values("Set-Cookie"));
        assertEquals(
                200,
                RawExchange.get(server, "/staff", "authorization: bAsIc YW5uOnNlY3JldA==")
                        .status());
    }

    @Test
    void userNamesAndPasswordsAreDecodedAsUtf8() throws IOException {
        assertEquals(
                200, RawExchange.get(server, "/staff/", basic("jürgen:pä:ß")).status());
    }

    /** RFC 7617 section 2: user names and passwords must not contain control characters. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann:secret\0",
                "ann:secret\0\0",
                "ann:\0secret",
                "ann\0:secret",
                "ann:sec\tret",
                "ann:secret\r\n",
                "ann:secret\u007f",
                "ann\u001b:secret"
            })
    void userNamesAndPasswordsWithControlCharactersAreRejected(String pair) throws IOException {
        realm.with("ann\0", "secret", "staff").with("ann\u001b", "secret", "staff");
        RawExchange asked = RawExchange.get(server, "/staff/list", basic(pair));
        assertEquals(401, asked.status());
        assertEquals(1, asked.values("WWW-Authenticate").size());
        assertEquals(0, realm.calls());
        assertEquals(0, staff.calls());
    }

    @Test
    void aUserWithoutTheRequiredRoleGets403() throws IOException {
        assertEquals(403, RawExchange.get(server, "/staff/", basic("bob:other")).status());
        assertEquals(0, staff.calls());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Basic YW5uOndyb25n", // ann:wrong
                "Authorization: Basic eHh4OnNlY3JldA==", // xxx:secret
                "Authorization: Basic YW5uOg==", // ann:
                "Authorization: Basic OnNlY3JldA==", // :secret
                "Authorization: Basic YW5u", // ann
                "Authorization: Basic",
                "Authorization: Basic ",
                "Authorization: Basic ====",
                "Authorization: Basic YW5uOnNlY3JldA== YW5uOnNlY3JldA==",
                "Authorization: Bearer YW5uOnNlY3JldA==",
                "Authorization: BasicYW5uOnNlY3JldA==",
                "Authorization: Basic YW5uOnNlY3JldA==\r\nAuthorization: Basic YW5uOnNlY3JldA==",
                "Proxy-Authorization: Basic YW5uOnNlY3JldA=="
            })
    void invalidCredentialsGetANewChallenge(String line) throws IOException {
        RawExchange asked = RawExchange.get(server, "/staff/", line);
        assertEquals(401, asked.status(), line);
        assertFalse(asked.values("WWW-Authenticate").isEmpty(), line);
        assertEquals(0, staff.calls());
    }

    @Test
    void aConstraintWithoutRolesDeniesAccessToAllUsers() throws IOException {
        assertEquals(403, RawExchange.get(server, "/nobody").status());
        assertEquals(
                403, RawExchange.get(server, "/nobody", basic("ann:secret")).status());
    }

    @Test
    void aPageWithoutAConstraintNeedsNoLogin() throws IOException {
        assertEquals(
                "reached by null/null/null/staff=false",
                RawExchange.get(server, "/open").body());
        assertEquals(
                "reached by null/null/null/staff=false",
                RawExchange.get(server, "/open", basic("ann:secret")).body());
        assertEquals(0, realm.calls());
    }

    @Test
    void aRequestWithoutPermissionIsRefusedBeforeItsBodyArrives() throws IOException {
        String head = " HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n";
        RawExchange asked = RawExchange.of(server, "POST /staff/" + head);
        assertEquals(401, asked.status());
        assertFalse(asked.text().contains("100 Continue"), asked.text());
        assertEquals(403, RawExchange.of(server, "POST /nobody" + head).status());
        assertEquals(0, realm.calls());
    }

    @Test
    void aConstraintWithoutMethodsAppliesToEveryMethod() throws IOException {
        for (String method : new String[] {"HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get"}) {
            RawExchange asked =
                    RawExchange.of(server, method + " /staff/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            assertEquals(401, asked.status(), method);
        }
        assertEquals(0, staff.calls());
        assertEquals(0, realm.calls());
    }
}
