package io.penstock.session.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.StaleSessionException;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.PostgresServer;
import io.penstock.testing.Program;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * With {@code conflict=refuse}, a row marks each removed attribute. Tests that an application with ever new names does not leave ever more
 * rows, and that a change that began before the forgotten marks is refused if it may be a conflict.
 */
class RemovedMarksTest {
    private static final String REFUSE = "#timeout=60s&conflict=refuse";
    private static final SessionKey KEY = SessionKey.of("1");
    private static final int CHANGES = 200;

    @Test
    void onlyTheLatestMarksAreKeptInH2() throws Exception {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        try (JdbcSessions stores = JdbcSessions.open(url + REFUSE);
                Connection connection = DriverManager.getConnection(url)) {
            assertOnlyTheLatestMarksAreKept(stores.of("/app"), connection);
        }
    }

    @Test
    @NeedsProgram(Program.POSTGRES)
    void onlyTheLatestMarksAreKeptInPostgres() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                JdbcSessions stores = JdbcSessions.open(Postgres.location(server) + REFUSE);
                Connection connection = Postgres.connect(server)) {
            assertOnlyTheLatestMarksAreKept(stores.of("/app"), connection);
        }
    }

    /** Each change adds an attribute with a new name, and removes that of the former change. */
    private static void assertOnlyTheLatestMarksAreKept(SessionStore store, Connection connection) throws Exception {
        store.save(change(0, "kept", "name0"));
        int most = 0;
        for (int i = 1; i < CHANGES; i++) {
            assertEquals(OptionalLong.of(i + 1), store.save(change(i, "name" + i, "name" + (i - 1))));
            most = Math.max(most, rows(connection));
        }
        assertTrue(most <= 64 + 32 + 3, most + " rows");
        assertEquals(
                Set.of("kept", "name199"),
                store.load(KEY, 0).orElseThrow().attributes().keySet());

        assertStale(store, change(10, "name20", "none"), "an attribute whose mark is forgotten");
        assertStale(store, change(10, "other", "name20"), "a removal of an attribute whose mark is forgotten");
        assertStale(store, change(190, "name195", "none"), "an attribute with a mark");
        assertEquals(OptionalLong.of(201), store.save(change(10, "kept")), "an attribute that has not changed");
        assertEquals(OptionalLong.of(202), store.save(change(190, "new")), "an attribute that never existed");
    }

    private static void assertStale(SessionStore store, SessionChange change, String what) {
        assertThrows(StaleSessionException.class, () -> store.save(change), what);
    }

    private static SessionChange change(long base, String written, String... removed) {
        byte[] value = "x".getBytes(StandardCharsets.UTF_8);
        return new SessionChange(
                KEY, KEY, base, Change.NOW, Change.NOW, Change.SECONDS, Map.of(written, value), Set.of(removed));
    }

    private static int rows(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("select count(*) from penstock_session_attributes")) {
            assertTrue(count.next());
            return count.getInt(1);
        }
    }
}
