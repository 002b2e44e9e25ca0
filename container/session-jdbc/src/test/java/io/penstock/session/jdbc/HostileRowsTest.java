package io.penstock.session.jdbc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.StoreUnavailableException;
import io.penstock.store.StoredSession;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests extreme and invalid values in database rows. An invalid row must not affect other sessions. */
class HostileRowsTest {
    private static final SessionKey KEY = SessionKey.of("1");
    private static final SessionKey OTHER = SessionKey.of("2");

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private JdbcSessions stores;
    private SessionStore store;

    @BeforeEach
    void saveTwoSessions() throws Exception {
        stores = JdbcSessions.open(url);
        store = stores.of("/app");
        store.save(Change.set(KEY, 0, "name", "Ada"));
        store.save(Change.set(OTHER, 0, "name", "Grace"));
    }

    @AfterEach
    void close() {
        stores.close();
    }

    private void execute(String... statements) throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private List<SessionKey> expired(Instant now, int most) throws IOException {
        return store.expired(now, most).stream().map(StoredSession::key).toList();
    }

    private void assertUnreadable() throws IOException {
        IOException e = assertThrows(IOException.class, () -> store.load(KEY, 0));
        assertEquals(IOException.class, e.getClass(), "the invalid row was reported as an unavailable database");
        assertTrue(store.load(OTHER, 0).isPresent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "created", "accessed", "max_inactive"})
    void aNullInANumberColumnMakesASessionUnreadable(String column) throws Exception {
        execute(
                "alter table penstock_sessions alter column " + column + " drop not null",
                "update penstock_sessions set " + column + " = null where session_key = '" + KEY + "'");
        assertUnreadable();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\", "\\xyzw", "é"})
    void aMalformedAttributeNameMakesASessionUnreadable(String name) throws Exception {
        execute("update penstock_session_attributes set name = '" + name + "' where session_id = 1");
        assertUnreadable();
    }

    @Test
    void aVersionBelowOneMakesASessionUnreadable() throws Exception {
        execute("update penstock_sessions set version = -1 where session_key = '" + KEY + "'");
        assertUnreadable();
    }

    @Test
    void anAttributeWithoutBytesIsIgnored() throws Exception {
        execute("update penstock_session_attributes set bytes = null where session_id = 1");
        assertTrue(store.load(KEY, 0).orElseThrow().attributes().isEmpty());
    }

    @Test
    void extremeNumbersInADatabaseRowCanBeRead() throws Exception {
        execute("update penstock_sessions set max_inactive = 9223372036854775807, accessed = 9223372036854775807,"
                + " created = -9223372036854775808 where session_key = '" + KEY + "'");
        assertEquals(Integer.MAX_VALUE, store.load(KEY, 0).orElseThrow().maxInactiveSeconds());
        assertEquals(List.of(OTHER), expired(Change.NOW.plusSeconds(60), 10));
    }

    /** A search returns a limited number of sessions. If each search returned the invalid rows again, other sessions would not expire. */
    @Test
    void invalidRowsAreNotListedAsExpired() throws Exception {
        execute(
                "alter table penstock_sessions alter column accessed drop not null",
                "update penstock_sessions set session_key = 'x', due = 1 where session_key = '" + KEY + "'",
                "insert into penstock_sessions (application, session_key, version, created, accessed, max_inactive, due)"
                        + " values ('/app', '" + SessionKey.of("3") + "', 1, 1, null, 1, 1)");
        assertEquals(List.of(OTHER), expired(Change.NOW.plusSeconds(60), 1));
        assertEquals(List.of(), expired(Change.NOW.plusSeconds(60), 10));
    }

    @Test
    void aSessionWithATooLongAttributeNameIsNotSaved() throws Exception {
        String longest = "n".repeat(2000);
        assertEquals(OptionalLong.of(2), store.save(Change.set(KEY, 1, longest, "x")));
        IOException e = assertThrows(IOException.class, () -> store.save(Change.set(KEY, 2, longest + "n", "x")));
        assertTrue(e.getMessage().startsWith("the name of an attribute needs 2001 characters"), e.getMessage());
        assertEquals(2, store.load(KEY, 0).orElseThrow().version());
    }

    @Test
    void anApplicationPathLongerThanTheDatabaseColumnIsRefused() throws Exception {
        assertTrue(stores.of("/" + "a".repeat(254)).load(KEY, 0).isEmpty());
        IOException e = assertThrows(IOException.class, () -> stores.of("/" + "a".repeat(255)));
        assertTrue(!(e instanceof StoreUnavailableException));
    }

    @Test
    void anAttributeOf40MegabytesIsStored() throws Exception {
        byte[] large = new byte[40_000_000];
        Arrays.fill(large, (byte) 7);
        assertEquals(OptionalLong.of(2), store.save(Change.set(KEY, 1, "name", large)));
        assertArrayEquals(large, store.load(KEY, 0).orElseThrow().attributes().get("name"));
    }
}
