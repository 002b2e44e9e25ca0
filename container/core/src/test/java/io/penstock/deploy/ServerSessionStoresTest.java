package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.OtherProcess;
import io.penstock.Penstock;
import io.penstock.StartException;
import io.penstock.limits.Counters;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.SessionLimits;
import io.penstock.part.ContainerPart;
import io.penstock.part.SessionStoreProvider;
import io.penstock.session.SessionRepository;
import io.penstock.store.AttributeTable;
import io.penstock.store.SessionStore;
import io.penstock.store.SessionStores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The session store comes from the program that embeds the server, from an optional {@link ContainerPart}, or from the server itself. The
 * value of the setting {@code session-store} is a URL. The scheme of this URL selects the {@code ContainerPart} that provides the store.
 */
class ServerSessionStoresTest {
    private final List<String> events = new ArrayList<>();
    private final Parts parts = new Parts(List.of(new Part(new Tables("table")), new Part(new Tables("other"))));

    @TempDir
    Path folder;

    private record Part(SessionStoreProvider provider) implements ContainerPart {
        @Override
        public List<SessionStoreProvider> sessionStores() {
            return List.of(provider);
        }
    }

    /**
     * A provider of session stores. Records in {@code events} each open, each close, and each context path for which a store is requested.
     */
    private final class Tables implements SessionStoreProvider, SessionStores {
        private final String scheme;

        private Tables(String scheme) {
            this.scheme = scheme;
        }

        @Override
        public String scheme() {
            return scheme;
        }

        @Override
        public SessionStores open(String location) throws IOException {
            if (location.endsWith("away")) {
                throw new IOException("nobody answers");
            }
            events.add("open " + location);
            return this;
        }

        @Override
        public SessionStore of(String contextPath) {
            events.add(scheme + " for " + contextPath);
            return new AttributeTable();
        }

        @Override
        public void close() {
            events.add("close " + scheme);
        }
    }

    private ServerSessionStores stores(String location) {
        return new ServerSessionStores(ServerConfig.defaults().sessions(), location, new Counters(), null, parts);
    }

    private static SessionRepository sessions(ServerSessionStores stores, String contextPath) throws IOException {
        return stores.of(contextPath, ServerSessionStoresTest.class.getClassLoader());
    }

    @Test
    void theStoreForTheConfiguredSchemeIsOpenedOnceForAllApplications() throws IOException {
        try (ServerSessionStores stores = stores("table:a:b")) {
            assertEquals(List.of(), events, "the store was opened before its first use");
            assertTrue(sessions(stores, "/").isPersistent());
            assertTrue(sessions(stores, "/shop").isPersistent());
            assertTrue(sessions(stores, "//www.example.org/shop").isPersistent());
            assertNotNull(stores.room("/shop"));
        }
        assertEquals(
                List.of(
                        "open table:a:b",
                        "table for /",
                        "table for /shop",
                        "table for //www.example.org/shop",
                        "close table"),
                events);
    }

    @Test
    void noStoreIsOpenedIfTheSessionStoreSettingIsNone() throws IOException {
        try (ServerSessionStores stores = stores("none")) {
            assertFalse(sessions(stores, "/").isPersistent());
        }
        assertEquals(List.of(), events);
    }

    @Test
    void anUnusedStoreIsNeverOpened() throws IOException {
        stores("table:a").close();
        assertEquals(List.of(), events);
    }

    @Test
    void everyAttemptToGetSessionsFailsIfTheStoreCannotBeOpened() throws IOException {
        try (ServerSessionStores stores = stores("table:away")) {
            for (int i = 0; i < 2; i++) {
                IOException e = assertThrows(IOException.class, () -> sessions(stores, "/"));
                assertEquals("session-store: nobody answers", e.getMessage());
            }
        }
        assertEquals(List.of(), events);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://:secret@host", "secret", ":secret", "TABLE:secret"})
    void anUnknownSchemeIsReportedWithoutTheRestOfTheUrl(String location) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> stores(location));
        assertTrue(e.getMessage().startsWith("session-store: "), e.getMessage());
        assertTrue(e.getMessage().endsWith("; known are other, table"), e.getMessage());
        assertFalse(e.getMessage().contains("secret"), e.getMessage());
    }

    private SessionLimits inFolder() {
        return new SessionLimits(1, 1, folder, "java", 1, Duration.ofSeconds(1), 1, "");
    }

    private ServerSessionStores storesInFolder() {
        return new ServerSessionStores(inFolder(), "none", new Counters(), null, parts);
    }

    /** On POSIX systems, the refused server would release the lock of the process if it opened and closed the lock file. */
    @Test
    void aRefusedServerDoesNotOpenTheFolderForServersOfOtherProcesses() throws Exception {
        Path lock = folder.resolve("lock");
        try (ServerSessionStores first = storesInFolder();
                ServerSessionStores second = storesInFolder()) {
            assertTrue(sessions(first, "/").isPersistent());
            IOException e = assertThrows(IOException.class, () -> sessions(second, "/"));
            assertEquals("session-dir: " + folder + " is used by another server", e.getMessage());
            assertFalse(OtherProcess.canLock(lock));
            first.close();
            assertTrue(OtherProcess.canLock(lock));
            assertTrue(sessions(second, "/").isPersistent());
        }
    }

    @Test
    void onlyOneSessionStoreCanBeConfigured() {
        SessionLimits inFolder = inFolder();
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class,
                () -> new ServerSessionStores(inFolder, "table:a", new Counters(), null, parts));
        assertEquals("session-store: session-dir is set, too; only one of them can store sessions", e.getMessage());
        e = assertThrows(
                IllegalArgumentException.class,
                () -> new ServerSessionStores(
                        ServerConfig.defaults().sessions(), "table:a", new Counters(), new Tables("given"), parts));
        assertEquals("session-store: cannot be set, since this program has its own session stores", e.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "redis://:secret@host | 'redis'; add io.penstock:penstock-session-redis to its class path",
                "rediss-cluster://:secret@host | 'rediss-cluster'; add io.penstock:penstock-session-redis to its class"
                        + " path",
                "jdbc:h2:/secret | 'jdbc'; add io.penstock:penstock-session-jdbc to its class path",
                "redis-like://host | 'redis-like'",
            })
    void aMissingStoreLibraryIsReportedAtTheStartAndByTheConfigurationCheck(String location, String reported) {
        Penstock.Builder builder = Penstock.builder().host("127.0.0.1").port(0).set("session-store", location);
        StartException e = assertThrows(StartException.class, builder::start);
        assertEquals("session-store: this server has no library for " + reported, e.getMessage());
        assertEquals(List.of(e.getMessage()), builder.check());
    }
}
