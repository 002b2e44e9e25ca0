package io.penstock.session.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import io.penstock.testing.RedisServer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;

/** Tests embedded servers that store their sessions in Redis. */
@NeedsProgram(Program.REDIS_SERVER)
final class EmbeddedServersTest {

    private static final class Counter extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession();
            Integer count = (Integer) session.getAttribute("count");
            session.setAttribute("count", count == null ? 1 : count + 1);
            if (request.getParameter("login") != null) {
                request.changeSessionId();
            }
            response.getWriter().print(session.getAttribute("count"));
        }
    }

    private static Penstock server(RedisServer redis) throws Exception {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .sessions(RedisSessions.open(
                        URI.create("redis://127.0.0.1:" + redis.port() + "?timeout=60s&prefix=embedded")))
                .context("/shop", context -> context.servlet("counter", new Counter(), "/count"))
                .start();
    }

    /** Two servers store their sessions in one Redis. A client sends some requests to one server, and the others to the other server. */
    @Test
    void eachRequestFindsTheChangesOfThePreviousRequest() throws Exception {
        try (RedisServer redis = RedisServer.start();
                Penstock one = server(redis);
                Penstock other = server(redis)) {
            HttpClient client = HttpClient.newHttpClient();
            String cookie = "";
            int count = 0;
            for (Penstock server : List.of(one, other, other, one, other, one, one, other)) {
                count++;
                HttpResponse<String> response = get(client, server, count % 3 == 0 ? "?login" : "", cookie);
                assertEquals("" + count, response.body());
                cookie = response.headers()
                        .firstValue("Set-Cookie")
                        .map(set -> set.split(";", -1)[0])
                        .orElse(cookie);
            }
        }
    }

    private static HttpResponse<String> get(HttpClient client, Penstock server, String query, String cookie)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port() + "/shop/count" + query))
                .version(HttpClient.Version.HTTP_1_1);
        if (!cookie.isEmpty()) {
            request.header("Cookie", cookie);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Later, Redis no longer requires the password. The client must then still have its session. */
    @Test
    void aRequestGetsStatus503WhileRedisRequiresAPasswordThatTheServerDoesNotHave() throws Exception {
        try (RedisServer redis = RedisServer.start();
                Jedis jedis = new Jedis("127.0.0.1", redis.port());
                Penstock server = server(redis)) {
            HttpClient client = HttpClient.newHttpClient();
            HttpResponse<String> first = get(client, server, "", "");
            String cookie =
                    first.headers().firstValue("Set-Cookie").orElseThrow().split(";", -1)[0];
            jedis.configSet("requirepass", "another");
            jedis.sendCommand(Protocol.Command.CLIENT, "KILL", "TYPE", "normal", "SKIPME", "yes");
            HttpResponse<String> refused = get(client, server, "", cookie);
            assertEquals(503, refused.statusCode());
            assertTrue(refused.headers().firstValue("Retry-After").isPresent());
            jedis.configSet("requirepass", "");
            assertEquals("2", get(client, server, "", cookie).body());
        }
    }
}
