package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.realm.PasswordHash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the security constraints in the {@code web.xml} of an application. The application has only files, and no servlets. The server
 * reads the users from a file.
 */
class DescriptorSecurityTest {
    @TempDir
    Path folder;

    private void write(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static String constraint(String pattern, String methods, String rest) {
        return "<security-constraint><web-resource-collection><web-resource-name>c</web-resource-name><url-pattern>"
                + pattern + "</url-pattern>" + methods + "</web-resource-collection>" + rest + "</security-constraint>";
    }

    private static String role(String name) {
        return "<auth-constraint><role-name>" + name + "</role-name></auth-constraint>";
    }

    @BeforeEach
    void writeFiles() throws IOException {
        String hash = PasswordHash.of("secret", 1000).text();
        write("users", "ann:" + hash + ":staff\nbob:" + hash + ":guest\neve:" + hash + ":stranger\n");
        for (String file : new String[] {
            "open.txt", "staff/a.txt", "any/a.txt", "all/a.txt", "none/a.txt", "get/a.txt", "omit/a.txt"
        }) {
            write("app/" + file, file);
        }
        write("app/login.html", "please log in");
        write("app/wrong.html", "that was wrong");
        write("app/denied.html", "you may not");
    }

    private Penstock start(String login) throws Exception {
        write(
                "app/WEB-INF/web.xml",
                "<web-app version='6.1'>" + constraint("/staff/*", "", role("staff"))
                        + constraint("/any/*", "", role("**"))
                        + constraint("/all/*", "", role("*")) + constraint("/none/*", "", "<auth-constraint/>")
                        + constraint("/get/*", "<http-method>GET</http-method>", role("staff"))
                        + constraint(
                                "/omit/*", "<http-method-omission>GET</http-method-omission>", "<auth-constraint/>")
                        + login
                        + "<security-role><role-name>staff</role-name></security-role>"
                        + "<security-role><role-name>guest</role-name></security-role></web-app>");
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("realm-file", folder.resolve("users").toString())
                .war("/app", folder.resolve("app"))
                .start();
    }

    private Penstock server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private int status(String method, String path, String user) throws IOException {
        String pair = Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
        return RawExchange.of(
                        server,
                        method + " /app" + path + " HTTP/1.1\r\nHost: a\r\nAuthorization: Basic " + pair
                                + "\r\nConnection: close\r\n\r\n")
                .status();
    }

    @Test
    void aConstraintAppliesOnlyToItsPathsAndItsMethodsAndItsRoles() throws Exception {
        server = start("<login-config><auth-method>BASIC</auth-method><realm-name>office</realm-name></login-config>");
        assertEquals(200, RawExchange.get(server, "/app/open.txt").status());
        assertEquals(401, RawExchange.get(server, "/app/staff/a.txt").status());
        assertEquals(List.of(200, 403, 403), statuses("/staff/a.txt"));
        assertEquals(List.of(200, 200, 200), statuses("/any/a.txt"));
        assertEquals(List.of(200, 200, 403), statuses("/all/a.txt"));
        assertEquals(List.of(403, 403, 403), statuses("/none/a.txt"));
        assertEquals(403, status("GET", "/get/a.txt", "bob"));
        assertEquals(405, status("POST", "/get/a.txt", "bob")); // no constraint covers POST, so no login is necessary
        assertEquals(200, status("GET", "/omit/a.txt", "bob"));
        assertEquals(403, status("POST", "/omit/a.txt", "ann"));
    }

    private List<Integer> statuses(String path) throws IOException {
        return List.of(status("GET", path, "ann"), status("GET", path, "bob"), status("GET", path, "eve"));
    }

    @Test
    void httpMethodsWithoutAConstraintCanBeDenied() throws Exception {
        server = start("<deny-uncovered-http-methods/><login-config><auth-method>BASIC</auth-method></login-config>");
        assertEquals(403, status("POST", "/get/a.txt", "ann"));
        assertEquals(403, status("GET", "/omit/a.txt", "ann"));
        assertEquals(200, status("GET", "/get/a.txt", "ann"));
        assertEquals(200, RawExchange.get(server, "/app/open.txt").status());
    }

    @Test
    void a403ResponseHasTheErrorPageOfTheApplication() throws Exception {
        server = start("<login-config><auth-method>BASIC</auth-method></login-config>"
                + "<error-page><error-code>403</error-code><location>/denied.html</location></error-page>");
        RawExchange denied = RawExchange.get(server, "/app/none/a.txt");
        assertEquals(403, denied.status());
        assertEquals("you may not", denied.body());
    }

    @Test
    void theLoginPageAndTheErrorPageOfAFormLoginCanBeFiles() throws Exception {
        server = start("<login-config><auth-method>FORM</auth-method><form-login-config>"
                + "<form-login-page>/login.html</form-login-page><form-error-page>/wrong.html</form-error-page>"
                + "</form-login-config></login-config>");
        RawExchange form = RawExchange.get(server, "/app/staff/a.txt");
        assertEquals("please log in", form.body());
        String cookie = "Cookie: " + form.values("Set-Cookie").get(0).split(";", 2)[0];
        assertEquals(
                "that was wrong",
                submit(cookie, "j_username=ann&j_password=wrong!").body());
        RawExchange redirect = submit(cookie, "j_username=ann&j_password=secret");
        assertTrue(redirect.values("Location").get(0).endsWith("/app/staff/a.txt"), redirect.text());
        String after = "Cookie: " + redirect.values("Set-Cookie").get(0).split(";", 2)[0];
        assertEquals(
                "staff/a.txt",
                RawExchange.get(server, "/app/staff/a.txt", after).body());
    }

    @Test
    void constraintsApplyToTheOriginalMethodOfASavedRequest() throws Exception {
        write("app/save/a.txt", "saved");
        server = start(constraint("/save/*", "<http-method>POST</http-method>", role("staff"))
                + constraint("/save/*", "<http-method-omission>POST</http-method-omission>", "<auth-constraint/>")
                + "<login-config><auth-method>FORM</auth-method><form-login-config>"
                + "<form-login-page>/login.html</form-login-page><form-error-page>/wrong.html</form-error-page>"
                + "</form-login-config></login-config>");
        RawExchange form = RawExchange.of(
                server, "POST /app/save/a.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx");
        assertEquals("please log in", form.body());
        String cookie = "Cookie: " + form.values("Set-Cookie").get(0).split(";", 2)[0];
        RawExchange redirect = submit(cookie, "j_username=ann&j_password=secret");
        String after = "Cookie: " + redirect.values("Set-Cookie").get(0).split(";", 2)[0];
        // The server repeats the saved POST. Ann's role (staff) allows POST, but a file does not support POST.
        assertEquals(405, RawExchange.get(server, "/app/save/a.txt", after).status());
        // The second request is a GET. A constraint forbids GET.
        assertEquals(403, RawExchange.get(server, "/app/save/a.txt", after).status());
    }

    private RawExchange submit(String cookie, String form) throws IOException {
        return RawExchange.of(
                server,
                "POST /app/staff/j_security_check HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + cookie
                        + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length()
                        + "\r\n\r\n" + form);
    }
}
