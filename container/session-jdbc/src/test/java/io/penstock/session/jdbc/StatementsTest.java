package io.penstock.session.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.PostgresServer;
import io.penstock.testing.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests which SQL statements each call of the store sends. The test reads the statements from the log of PostgreSQL. Each statement is one
 * round trip to the database, except BEGIN and the later statements of a batch.
 */
@NeedsProgram(Program.POSTGRES)
class StatementsTest {
    private static final SessionKey KEY = SessionKey.of("1");
    /** The id of a session that does not exist. A load of this session marks the end of a step in the log. */
    private static final String END = "no such session";

    private PostgresServer server;
    private JdbcSessions stores;
    private SessionStore store;
    private long counted;

    private interface Step {
        void run() throws IOException;
    }

    @BeforeEach
    void startServerThatLogsAllStatements() throws Exception {
        server = PostgresServer.start();
        stores = JdbcSessions.open(
                Postgres.location(server) + "&options=-c%20log_statement=all#timeout=60s&connections=1");
        store = stores.of("/app");
        store.load(SessionKey.of(END), 0);
        counted = statements().size();
    }

    @AfterEach
    void stop() throws Exception {
        stores.close();
        server.close();
    }

    /**
     * Returns all statements in the log so far. An empty statement is none of the store: before a connection that has not been used for a
     * while is used again, the pool checks it by an empty statement.
     */
    private List<String> statements() throws IOException {
        return server.log()
                .lines()
                .filter(line -> line.contains("LOG:  execute ") || line.contains("LOG:  statement: "))
                .map(line -> line.replaceFirst(".*LOG:  (execute [^:]*|statement): ?", ""))
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    /** Runs a step. Returns the first word of each statement that the step has sent. */
    private List<String> statementsOf(Step step) throws IOException {
        step.run();
        int marks = marks();
        store.load(SessionKey.of(END), 0);
        Awaitility.await().until(() -> marks() > marks);
        List<String> all = statements();
        List<String> new_ = all.subList((int) counted, all.size() - 1);
        counted = all.size();
        return new_.stream().map(sql -> sql.split(" ", -1)[0]).toList();
    }

    private int marks() throws IOException {
        return server.log().split(SessionKey.of(END).digest(), -1).length;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static SessionChange change(long base) {
        return new SessionChange(
                KEY,
                KEY,
                base,
                Change.NOW,
                Change.NOW,
                60,
                Map.of("a", bytes("1"), "b", bytes("2"), "c", bytes("3")),
                Set.of("d", "e"));
    }

    @Test
    void eachCallOfTheStoreSendsOneStatement() throws Exception {
        assertEquals(List.of("with"), statementsOf(() -> store.save(change(0))));
        assertEquals(List.of("with"), statementsOf(() -> store.save(change(1))));
        assertEquals(List.of("select"), statementsOf(() -> store.load(KEY, 0)));
        assertEquals(List.of("select"), statementsOf(() -> store.load(KEY, 2)));
        assertEquals(List.of("update"), statementsOf(() -> store.touch(KEY, Change.NOW.plusSeconds(1))));
        assertEquals(List.of("select"), statementsOf(() -> store.expired(Change.NOW, 10)));
        assertEquals(List.of("delete"), statementsOf(() -> store.deleteExpired(KEY, Change.NOW)));
        assertEquals(List.of("delete"), statementsOf(() -> store.delete(KEY)));
    }

    @Test
    void aSaveAfterAChangeByAnotherServerUsesATransaction() throws Exception {
        store.save(change(0));
        store.save(change(1));
        statementsOf(() -> {});
        assertEquals(
                List.of(
                        "with", "BEGIN", "update", "select", "delete", "delete", "delete", "delete", "delete", "insert",
                        "insert", "insert", "COMMIT"),
                statementsOf(() -> store.save(change(1))));
    }

    @Test
    void aSearchForExpiredSessionsReservesTheFoundSessionsInOneBatch() throws Exception {
        store.save(change(0));
        store.save(Change.set(SessionKey.of("2"), 0, "name", "Ada"));
        statementsOf(() -> {});
        List<String> statements = statementsOf(() ->
                assertEquals(2, store.expired(Change.NOW.plusSeconds(60), 10).size()));
        assertEquals(List.of("select", "BEGIN", "update", "update", "COMMIT"), statements);
        assertTrue(store.expired(Change.NOW.plusSeconds(60), 10).isEmpty());
    }
}
