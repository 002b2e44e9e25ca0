package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.store.AttributeTable;
import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.StoredSession;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests requests with many session ids. Each id that is looked up can need a call of the session store. */
class SessionCookieFloodTest {
    private final CountedLoads store = new CountedLoads();
    private Penstock server;

    /** A store that counts its loads. */
    private static final class CountedLoads implements SessionStore {
        private final AttributeTable table = new AttributeTable();
        private final AtomicInteger loads = new AtomicInteger();

        @Override
        public Optional<StoredSession> load(SessionKey key, long known) throws IOException {
            loads.incrementAndGet();
            return table.load(key, known);
        }

        @Override
        public OptionalLong save(SessionChange change) throws IOException {
            return table.save(change);
        }

        @Override
        public void touch(SessionKey key, Instant accessed) throws IOException {
            table.touch(key, accessed);
        }

        @Override
        public boolean delete(SessionKey key) throws IOException {
            return table.delete(key);
        }

        @Override
        public Collection<StoredSession> expired(Instant now, int most) throws IOException {
            return table.expired(now, most);
        }

        @Override
        public boolean deleteExpired(SessionKey key, Instant now) throws IOException {
            return table.deleteExpired(key, now);
        }
    }

    /** Writes whether the request has a session. {@code /begin} creates one. */
    private static final class Shown extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession(request.getServletPath().equals("/begin"));
            response.getWriter().print(session == null ? "none" : session.getId());
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .sessions(path -> store)
                .context("/", context -> context.servlet("shown", new Shown(), "/begin", "/show"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String invented(int from, int to) {
        StringBuilder cookies = new StringBuilder();
        for (int i = from; i < to; i++) {
            cookies.append("JSESSIONID=").append("%032d".formatted(i)).append("; ");
        }
        return cookies.toString();
    }

    @Test
    void onlyTheFirstSessionCookiesAreLookedUp() throws IOException {
        assertEquals(
                "none",
                RawExchange.get(server, "/show", "Cookie: " + invented(0, 199) + "a=b")
                        .body());
        assertEquals(4, store.loads.get());
        assertEquals(195, server.counters().get("session-cookies-ignored"));
    }

    @Test
    void eachUrlHasOneSessionIdThatIsLookedUp() throws IOException {
        String ids = ";jsessionid="
                + String.join(
                        ";jsessionid=",
                        invented(0, 50).replaceAll("JSESSIONID=|;", "").split(" "));
        assertEquals(
                "none",
                RawExchange.get(server, "/show" + ids, "Cookie: " + invented(0, 199) + "a=b")
                        .body());
        assertEquals(5, store.loads.get());
    }

    @Test
    void aValidSessionCookieIsFoundBehindInvalidOnes() throws IOException {
        String id = RawExchange.get(server, "/begin").body();
        assertEquals(
                id,
                RawExchange.get(
                                server,
                                "/show",
                                "Cookie: " + invented(0, 3) + "JSESSIONID=" + id + "; " + invented(3, 9) + "a=b")
                        .body());
        assertEquals(
                "none",
                RawExchange.get(server, "/show", "Cookie: " + invented(0, 4) + "JSESSIONID=" + id)
                        .body());
        assertEquals(1, server.counters().get("session-cookies-ignored"));
    }
}
