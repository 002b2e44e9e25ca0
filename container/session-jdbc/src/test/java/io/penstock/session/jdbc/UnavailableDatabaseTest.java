package io.penstock.session.jdbc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.StoreUnavailableException;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.PostgresServer;
import io.penstock.testing.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.OptionalLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests a session store when its PostgreSQL server is stopped, killed, paused, slow or read-only. Further tests use a locked row, and a
 * connection pool without a free connection. The tests mostly wait for time-outs. Each has a database server of its own, so they run in
 * parallel.
 */
@Execution(ExecutionMode.CONCURRENT)
@NeedsProgram(Program.POSTGRES)
class UnavailableDatabaseTest {
    private static final String SHORT = "#timeout=1s";
    private static final String LONG = "#timeout=60s";
    private static final SessionKey KEY = SessionKey.of("1");

    private PostgresServer server;
    private JdbcSessions stores;
    private SessionStore store;

    @BeforeEach
    void saveASession() throws Exception {
        server = PostgresServer.start();
        try (JdbcSessions patient = JdbcSessions.open(Postgres.location(server) + LONG)) {
            patient.of("/app").save(Change.set(KEY, 0, "name", "Ada"));
        }
        stores = JdbcSessions.open(Postgres.location(server) + SHORT);
        store = stores.of("/app");
        // The first call opens a connection. On a busy machine, this takes longer than the short time-out.
        assertAvailableAgain();
    }

    @AfterEach
    void stop() throws Exception {
        stores.close();
        server.close();
    }

    private void assertUnavailable() {
        StoreUnavailableException e = assertThrows(StoreUnavailableException.class, () -> store.load(KEY, 0));
        assertFalse(e.getMessage().contains(PostgresServer.PASSWORD), e.getMessage());
        assertEquals(1, e.getMessage().lines().count(), e.getMessage());
        assertThrows(StoreUnavailableException.class, () -> store.save(Change.set(KEY, 1, "name", "Grace")));
        assertThrows(StoreUnavailableException.class, () -> store.save(Change.set(SessionKey.of("2"), 0, "a", "b")));
        assertThrows(StoreUnavailableException.class, () -> store.touch(KEY, Change.NOW.plusSeconds(1)));
        assertThrows(StoreUnavailableException.class, () -> store.delete(KEY));
        assertThrows(StoreUnavailableException.class, () -> store.expired(Change.NOW, 10));
        assertThrows(StoreUnavailableException.class, () -> store.deleteExpired(KEY, Change.NOW));
    }

    private void assertAvailableAgain() {
        Awaitility.await().ignoreException(StoreUnavailableException.class).untilAsserted(() -> {
            assertArrayEquals(
                    "Ada".getBytes(StandardCharsets.UTF_8),
                    store.load(KEY, 0).orElseThrow().attributes().get("name"));
        });
    }

    @Test
    void theStoreIsUnavailableUntilAStoppedDatabaseIsStartedAgain() throws Exception {
        server.stop();
        assertUnavailable();
        server.startAgain();
        assertAvailableAgain();
    }

    @Test
    void theStoreIsUnavailableUntilAKilledDatabaseIsStartedAgain() throws Exception {
        server.kill();
        assertUnavailable();
        server.startAgain();
        assertAvailableAgain();
    }

    @Test
    void theStoreIsUnavailableUntilAPausedDatabaseResumes() throws Exception {
        server.pause();
        assertUnavailable();
        server.resume();
        assertAvailableAgain();
    }

    @Test
    void aServerCanStartWithoutItsDatabaseAndCreatesTheTablesLater() throws Exception {
        Postgres.execute(server, "drop table penstock_session_attributes, penstock_sessions");
        server.stop();
        try (JdbcSessions early = JdbcSessions.open(Postgres.location(server) + SHORT)) {
            assertThrows(StoreUnavailableException.class, () -> early.of("/app").load(KEY, 0));
            server.startAgain();
            Awaitility.await()
                    .ignoreException(StoreUnavailableException.class)
                    .until(() -> early.of("/app").load(KEY, 0).isEmpty());
            assertEquals(OptionalLong.of(1), early.of("/app").save(Change.set(KEY, 0, "name", "Ada")));
        }
    }

    @Test
    void sessionsInAReadOnlyDatabaseCanBeReadButNotChanged() throws Exception {
        try (Connection connection = Postgres.connect(server);
                Statement statement = connection.createStatement()) {
            statement.execute("alter database postgres set default_transaction_read_only = on");
            statement.execute("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
                    + " and backend_type = 'client backend'");
        }
        assertAvailableAgain();
        assertThrows(StoreUnavailableException.class, () -> store.save(Change.set(KEY, 1, "name", "Grace")));
        assertTrue(store.load(KEY, 0).isPresent());
    }

    @Test
    void theStoreIsUnavailableIfTheConnectionPoolHasNoFreeConnection() throws Exception {
        try (JdbcSessions small = JdbcSessions.open(Postgres.location(server) + SHORT + "&connections=1")) {
            SessionStore other = small.of("/app");
            Awaitility.await().ignoreException(StoreUnavailableException.class).until(() -> other.load(KEY, 0)
                    .isPresent());
            IOException e = assertThrows(
                    StoreUnavailableException.class, () -> small.database().call(call -> other.load(KEY, 0)));
            assertTrue(e.getMessage().contains("request timed out"), e.getMessage());
            assertTrue(other.load(KEY, 0).isPresent());
        }
    }

    /**
     * The time-out for a row lock is shorter than the time-out for the database. So the store can tell a locked row from an unavailable
     * database.
     */
    @Test
    void aLockedSessionDoesNotMakeTheStoreUnavailable() throws Exception {
        store.save(Change.set(SessionKey.of("2"), 0, "name", "Grace"));
        try (Connection connection = Postgres.connect(server);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select * from penstock_sessions where session_key = '" + KEY + "' for update");
            IOException e = assertThrows(IOException.class, () -> store.save(Change.set(KEY, 1, "name", "Grace")));
            assertEquals(IOException.class, e.getClass());
            assertTrue(e.getMessage().contains("lock timeout"), e.getMessage());
            assertEquals(OptionalLong.of(2), store.save(Change.set(SessionKey.of("2"), 1, "name", "Edsger")));
            assertTrue(store.load(KEY, 0).isPresent(), "a locked session cannot be read");
            connection.rollback();
        }
        assertEquals(OptionalLong.of(2), store.save(Change.set(KEY, 1, "name", "Grace")));
    }

    @Test
    void aSlowStatementIsCanceledAfterTheTimeOut() {
        IOException e = assertThrows(StoreUnavailableException.class, () -> stores.database()
                .call(call -> call.prepare("select pg_sleep(3600)").executeQuery()));
        assertTrue(isTimeout(e), e.getMessage());
        assertAvailableAgain();
    }

    /**
     * Returns whether a time-out caused the failure: the time-out of the database or, if the database is slow, the time-out of the
     * connection.
     */
    private static boolean isTimeout(IOException e) {
        return e.getMessage().contains("statement timeout") || e.getMessage().contains("I/O error");
    }

    /** If a Penstock server is paused during a transaction, the database soon ends the transaction, and releases the row lock. */
    @Test
    void theRowLockOfAPausedPenstockServerIsReleased() throws Exception {
        try (JdbcSessions patient = JdbcSessions.open(Postgres.location(server) + LONG)) {
            SessionStore other = patient.of("/app");
            IOException e = assertThrows(IOException.class, () -> stores.database()
                    .call(call -> call.transaction(() -> {
                        call.prepare("update penstock_sessions set version = 100")
                                .executeUpdate();
                        assertEquals(
                                OptionalLong.of(2),
                                other.save(Change.set(KEY, 1, "name", "Grace")),
                                "the save must succeed after the database has ended the transaction that locks the row");
                        return Optional.empty();
                    })));
            assertInstanceOf(SQLException.class, e.getCause());
            assertEquals(2, other.load(KEY, 0).orElseThrow().version());
        }
    }

    /**
     * A save begins with a single statement. If this statement changes nothing, a transaction follows. In this test, the statement takes
     * more than half of the time-out, and so does the transaction. So the save as a whole takes too long, and must fail.
     */
    @Test
    void theTimeOutOfASaveCoversItsStatementAndItsTransaction() throws Exception {
        store.save(Change.set(KEY, 1, "name", "Grace"));
        Postgres.execute(
                server,
                "create function slow() returns trigger language plpgsql as"
                        + " 'begin perform pg_sleep(0.6); return null; end'",
                "create trigger slow before update on penstock_sessions for each statement execute function slow()");
        assertThrows(StoreUnavailableException.class, () -> store.save(Change.set(KEY, 1, "name", "Edsger")));
        Postgres.execute(server, "drop trigger slow on penstock_sessions");
        assertEquals(
                OptionalLong.of(3), store.save(Change.set(KEY, 1, "name", "Edsger")), "the failed save took effect");
    }
}
