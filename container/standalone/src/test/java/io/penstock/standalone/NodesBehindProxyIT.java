package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.StartException;
import io.penstock.testing.AnyCertificate;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Patience;
import io.penstock.testing.Program;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests three servers (nodes) behind a proxy, with the configurations in {@code docs/production.md}. All nodes share one session store. The
 * proxy sends all requests of a session to the same node. If this node has ended, another node continues the session.
 */
@NeedsProgram(Program.OPENSSL)
class NodesBehindProxyIT {
    private static final int USERS = 12;

    @TempDir
    Path folder;

    private final SharedSessions sessions = new SharedSessions();
    private final Map<String, Penstock> nodes = new HashMap<>();
    private Path certificate;

    /** Counts the requests of each session. The response contains the name of the node and the count. */
    private static final class Counter extends HttpServlet {
        private final String node;

        Counter(String node) {
            this.node = node;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession();
            int count = session.getAttribute("count") instanceof Integer before ? before + 1 : 1;
            session.setAttribute("count", count);
            response.getWriter().print(node + " " + count);
        }
    }

    /** A client that keeps its session cookie. */
    private static final class User {
        private final CookieManager cookies = new CookieManager();
        private final HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .cookieHandler(cookies)
                .sslContext(AnyCertificate.trusting())
                .build();
        private final HttpRequest request;
        private int count;

        User(ProxyProcess proxy) {
            request = HttpRequest.newBuilder(URI.create("https://localhost:" + proxy.port() + "/count"))
                    .timeout(Patience.PATIENCE)
                    .build();
        }

        /** Sends one request, and checks that the count has increased by one. Returns the name of the node that sent the response. */
        String sendRequest() throws Exception {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertEquals(200, response.statusCode());
            String[] nodeAndCount = response.body().split(" ", -1);
            assertEquals(++count, Integer.parseInt(nodeAndCount[1]), response.body());
            return nodeAndCount[0];
        }

        String cookie() {
            return cookies.getCookieStore().getCookies().get(0).getValue();
        }
    }

    @BeforeEach
    void start() throws Exception {
        certificate = new TestAuthority(folder).server();
    }

    private void startNodes(String route) throws StartException {
        for (String name : List.of("node1", "node2", "node3")) {
            nodes.put(
                    name,
                    Penstock.builder()
                            .host("127.0.0.1")
                            .port(0)
                            .workers(2)
                            .set("admin-port", "0")
                            .set("trusted-proxies", "127.0.0.1")
                            .set("node-name", name)
                            .set("session-route", route)
                            .sessions(path -> sessions)
                            .context("/", context -> context.servlet("counter", new Counter(name), "/count"))
                            .start());
        }
    }

    @AfterEach
    void stop() {
        nodes.values().forEach(Penstock::close);
    }

    /** Maps the addresses of the nodes in the document to the addresses of the nodes in this test. */
    private Map<String, String> addresses() {
        return Map.of(
                "127.0.0.1:8080", "127.0.0.1:" + nodes.get("node1").port(),
                "127.0.0.1:8081", "127.0.0.1:" + nodes.get("node2").port(),
                "127.0.0.1:8082", "127.0.0.1:" + nodes.get("node3").port());
    }

    private ProxyProcess haproxy(String with) throws IOException {
        Path together = Files.writeString(
                folder.resolve("together.pem"),
                Files.readString(certificate) + Files.readString(TestAuthority.key(certificate)));
        String lines = ProductionDocument.block("haproxy", with, addresses());
        for (int i = 1; i <= nodes.size(); i++) {
            int admin = nodes.get("node" + i).adminAddress().orElseThrow().getPort();
            lines = lines.replace("port " + (9089 + i), "port " + admin);
        }
        String servers = lines;
        return ProxyProcess.haproxy(port -> ProductionDocument.haproxy(port, together, servers));
    }

    @Test
    @NeedsProgram(Program.HAPROXY)
    void haproxyReadsTheNodeFromTheSessionId() throws Exception {
        startNodes("on");
        try (ProxyProcess proxy = haproxy("use-server")) {
            assertEachSessionStaysAtItsNode(proxy);
        }
    }

    @Test
    @NeedsProgram(Program.NGINX)
    void nginxReadsTheNodeFromTheSessionId() throws Exception {
        startNodes("on");
        String maps = ProductionDocument.block("nginx", "map $cookie_jsessionid", addresses());
        try (ProxyProcess proxy = ProxyProcess.nginx(port -> ProductionDocument.nginx(port, certificate, maps)
                .replace("proxy_pass http://penstock;", "proxy_pass http://$node;"))) {
            assertEachSessionStaysAtItsNode(proxy);
        }
    }

    @Test
    @NeedsProgram(Program.HAPROXY)
    void haproxyAddsTheNodeToTheSessionId() throws Exception {
        startNodes("off");
        try (ProxyProcess proxy = haproxy("cookie JSESSIONID prefix")) {
            Map<User, String> nodesOfUsers = createUsers(proxy);
            for (Map.Entry<User, String> home : nodesOfUsers.entrySet()) {
                assertTrue(home.getKey().cookie().startsWith(home.getValue() + "~"));
            }
            String closed = closeOneNode(nodesOfUsers);
            for (User user : nodesOfUsers.keySet()) {
                assertNotEquals(closed, user.sendRequest());
            }
        }
    }

    private void assertEachSessionStaysAtItsNode(ProxyProcess proxy) throws Exception {
        Map<User, String> nodesOfUsers = createUsers(proxy);
        for (Map.Entry<User, String> home : nodesOfUsers.entrySet()) {
            assertTrue(home.getKey().cookie().endsWith("." + home.getValue()));
        }
        String closed = closeOneNode(nodesOfUsers);
        for (Map.Entry<User, String> home : nodesOfUsers.entrySet()) {
            User user = home.getKey();
            String now = user.sendRequest();
            if (home.getValue().equals(closed)) {
                assertNotEquals(closed, now);
            } else {
                assertEquals(home.getValue(), now);
            }
            assertTrue(user.cookie().endsWith("." + now), user.cookie());
            for (int i = 0; i < 5; i++) {
                assertEquals(now, user.sendRequest());
            }
        }
    }

    /**
     * Creates users, and maps each user to the name of its node. Checks that all requests of a user go to the same node, and that each node
     * has users.
     */
    private static Map<User, String> createUsers(ProxyProcess proxy) throws Exception {
        List<User> users = new ArrayList<>();
        Map<User, String> nodesOfUsers = new HashMap<>();
        for (int i = 0; i < USERS; i++) {
            User user = new User(proxy);
            users.add(user);
            nodesOfUsers.put(user, user.sendRequest());
        }
        Set<String> used = new HashSet<>(nodesOfUsers.values());
        assertEquals(Set.of("node1", "node2", "node3"), used, proxy.log());
        for (int i = 0; i < 5; i++) {
            for (User user : users) {
                assertEquals(nodesOfUsers.get(user), user.sendRequest());
            }
        }
        return nodesOfUsers;
    }

    /** Closes one node that has users, and returns the name of this node. */
    private String closeOneNode(Map<User, String> nodesOfUsers) {
        String closed = nodesOfUsers.values().iterator().next();
        nodes.get(closed).close();
        return closed;
    }
}
