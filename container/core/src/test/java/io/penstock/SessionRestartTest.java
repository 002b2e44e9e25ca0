package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.AttributeTable;
import io.penstock.store.SessionStore;
import io.penstock.store.SessionStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests stored sessions over real sockets. A stored session continues after a restart of the server. */
class SessionRestartTest {
    @TempDir
    Path folder;

    private Penstock.Builder server() {
        return Penstock.builder().host("127.0.0.1").port(0).workers(2);
    }

    private Penstock start(String... contextPaths) throws StartException {
        Penstock.Builder builder = server().set("session-dir", folder.toString());
        for (String path : contextPaths) {
            builder.context(path, context -> context.servlet("counting", new CountingVisits(), "/count", "/end"));
        }
        return builder.start();
    }

    private static String getWithSession(Penstock server, String path, String id) throws IOException {
        return RawExchange.get(server, path, "Cookie: JSESSIONID=" + id).body();
    }

    @Test
    void aSessionContinuesAfterARestart() throws Exception {
        String id;
        try (Penstock server = start("/")) {
            id = RawExchange.get(server, "/count").body().split(" ", -1)[0];
            assertEquals(id + " 2", getWithSession(server, "/count", id));
        }
        try (Penstock server = start("/")) {
            assertEquals(id + " 3", getWithSession(server, "/count", id));
            assertEquals(id + " 4", getWithSession(server, "/count", id));
        }
    }

    @Test
    void anInvalidatedSessionIsNotRestoredAfterARestart() throws Exception {
        String id;
        try (Penstock server = start("/")) {
            id = RawExchange.get(server, "/count").body().split(" ", -1)[0];
            assertEquals(id + " 2", getWithSession(server, "/end", id));
        }
        try (Penstock server = start("/")) {
            assertFalse(getWithSession(server, "/count", id).startsWith(id));
        }
    }

    @Test
    void applicationsHaveSeparateSessions() throws Exception {
        String id;
        try (Penstock server = start("/", "/shop", "/shop/inner")) {
            id = RawExchange.get(server, "/shop/count").body().split(" ", -1)[0];
        }
        try (Penstock server = start("/", "/shop", "/shop/inner")) {
            assertFalse(getWithSession(server, "/count", id).startsWith(id));
            assertFalse(getWithSession(server, "/shop/inner/count", id).startsWith(id));
            assertEquals(id + " 2", getWithSession(server, "/shop/count", id));
        }
    }

    @Test
    void aDamagedSessionFileDoesNotAffectOtherSessions() throws Exception {
        String lost;
        String kept;
        try (Penstock server = start("/")) {
            lost = RawExchange.get(server, "/count").body().split(" ", -1)[0];
        }
        try (var files = Files.walk(folder)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".session")).toList()) {
                Files.writeString(file, "not a session");
            }
        }
        try (Penstock server = start("/")) {
            kept = RawExchange.get(server, "/count").body().split(" ", -1)[0];
            assertFalse(getWithSession(server, "/count", lost).startsWith(lost));
        }
        try (Penstock server = start("/")) {
            assertEquals(kept + " 2", getWithSession(server, "/count", kept));
        }
    }

    @Test
    void aSecondServerCannotUseTheSameSessionDirectory() throws Exception {
        try (Penstock first = start("/")) {
            StartException e = assertThrows(StartException.class, () -> start("/"));
            assertTrue(
                    e.getMessage().contains("session-dir: " + folder + " is used by another server"), e.getMessage());
            assertTrue(first.isReady());
        }
        start("/").close();
    }

    @Test
    void theServerDoesNotStartIfTheSessionDirectoryIsMissingOrIsAFile() throws Exception {
        Path absent = folder.resolve("absent");
        Path file = Files.writeString(folder.resolve("file"), "no directory");
        assertTrue(error(absent).startsWith("session-dir is not an existing directory; create it first: " + absent));
        assertTrue(error(file).startsWith("session-dir is not a directory: " + file));
    }

    private String error(Path directory) {
        return String.valueOf(assertThrows(StartException.class, () -> server().set("session-dir", directory.toString())
                        .start())
                .getMessage());
    }

    @Test
    void aRequestGets503AndIsCountedIfItsNewSessionWouldExceedTheLimit() throws Exception {
        try (Penstock server = server().set("max-sessions", "2")
                .context("/", context -> context.servlet("counting", new CountingVisits(), "/count", "/end"))
                .start()) {
            RawExchange.get(server, "/count");
            String id = RawExchange.get(server, "/count").body().split(" ", -1)[0];
            assertEquals(503, RawExchange.get(server, "/count").status());
            assertEquals(1, server.counters().get("sessions-refused"));
            assertEquals(id + " 2", getWithSession(server, "/end", id), "an existing session must continue");
            assertEquals(
                    200,
                    RawExchange.get(server, "/count").status(),
                    "a new session must be possible after another session has ended");
        }
    }

    @Test
    void twoServersCanShareASessionStore() throws Exception {
        Map<String, AttributeTable> tables = new HashMap<>();
        Penstock.Builder one = server().sessions(path -> tables.computeIfAbsent(path, key -> new AttributeTable()));
        Penstock.Builder other = server().sessions(tables::get);
        for (Penstock.Builder each : List.of(one, other)) {
            each.context("/shop", context -> context.servlet("counting", new CountingVisits(), "/count", "/end"));
        }
        try (Penstock first = one.start();
                Penstock second = other.start()) {
            String id = RawExchange.get(first, "/shop/count").body().split(" ", -1)[0];
            assertEquals(id + " 2", getWithSession(second, "/shop/count", id));
            assertEquals(id + " 3", getWithSession(first, "/shop/count", id));
            assertEquals(3, tables.get("/shop").version(id));
            assertEquals(id + " 4", getWithSession(second, "/shop/end", id));
            assertFalse(getWithSession(first, "/shop/count", id).startsWith(id));
        }
    }

    /** Session stores that count the calls of {@code close}. The store for the context path {@code /broken} cannot be opened. */
    private static final class Tables implements SessionStores {
        private final AtomicInteger closed = new AtomicInteger();

        @Override
        public SessionStore of(String contextPath) throws IOException {
            if (contextPath.equals("/broken")) {
                throw new IOException("the database is away");
            }
            return new AttributeTable();
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    @Test
    void closingTheServerClosesTheSessionStores() throws Exception {
        Tables tables = new Tables();
        try (Penstock server = server().sessions(tables)
                .context("/", context -> context.servlet("counting", new CountingVisits(), "/count"))
                .start()) {
            assertEquals(200, RawExchange.get(server, "/count").status());
            assertEquals(0, tables.closed.get());
        }
        assertEquals(1, tables.closed.get());
    }

    @Test
    void theServerDoesNotStartIfASessionStoreCannotBeOpened() {
        Tables tables = new Tables();
        StartException e = assertThrows(StartException.class, () -> server().sessions(tables)
                .context("/broken", context -> context.servlet("counting", new CountingVisits(), "/count"))
                .start());
        assertTrue(e.getMessage().contains("the database is away"), e.getMessage());
        assertEquals(1, tables.closed.get());
    }
}
