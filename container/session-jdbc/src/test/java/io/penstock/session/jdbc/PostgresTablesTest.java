package io.penstock.session.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.SessionKey;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.PostgresServer;
import io.penstock.testing.Program;
import java.io.IOException;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that a Penstock server creates missing tables in PostgreSQL, or reports why it cannot use the tables. */
@NeedsProgram(Program.POSTGRES)
class PostgresTablesTest {
    private static PostgresServer server;

    @BeforeAll
    static void start() throws Exception {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    /** Creates a new schema, and a user with access to this schema. */
    private String newSchema(String name, String... further) throws Exception {
        Postgres.execute(
                server,
                "create schema " + name,
                "create role " + name + " login password 'pass'",
                "grant usage on schema " + name + " to " + name);
        Postgres.execute(server, further);
        return server.url() + "?currentSchema=" + name;
    }

    @Test
    void theNewTablesCanBeUsedByAllServersThatStartAtTheSameTime() throws Exception {
        for (int i = 0; i < StartAtOnce.REPETITIONS; i++) {
            newSchema("race" + i);
            StartAtOnce.open(Postgres.location(server) + "&currentSchema=race" + i + "#timeout=60s");
        }
    }

    @Test
    void aMissingRightToCreateTablesIsReported() throws Exception {
        String url = newSchema("nocreate") + "&user=nocreate&password=pass";
        IOException e = assertThrows(IOException.class, () -> JdbcSessions.open(url));
        assertTrue(e.getMessage().contains("relation \"penstock_sessions\" does not exist"), e.getMessage());
        assertTrue(
                e.getMessage().contains("; the tables cannot be created: ERROR: permission denied for schema"),
                e.getMessage());
        assertEquals(1, e.getMessage().lines().count());
    }

    @Test
    void aDatabaseUserNeedsOnlyTheRightsSelectAndInsertAndUpdateAndDelete() throws Exception {
        String url = newSchema("rights");
        JdbcSessions.open(Postgres.location(server) + "&currentSchema=rights").close();
        String tables = "rights.penstock_sessions, rights.penstock_session_attributes";
        Postgres.execute(server, "grant select, insert, update on " + tables + " to rights");
        String location = url + "&user=rights&password=pass";
        IOException e = assertThrows(IOException.class, () -> JdbcSessions.open(location));
        assertTrue(e.getMessage().contains("permission denied for table penstock_sessions"), e.getMessage());
        Postgres.execute(server, "grant delete on " + tables + " to rights");
        try (JdbcSessions stores = JdbcSessions.open(location + "#create-tables=off")) {
            SessionKey key = SessionKey.of("1");
            assertEquals(OptionalLong.of(1), stores.of("/app").save(Change.set(key, 0, "name", "Ada")));
            assertEquals(OptionalLong.of(2), stores.of("/app").save(Change.set(key, 1, "name", "Grace")));
            assertTrue(stores.of("/app").delete(key));
        }
    }

    @Test
    void anErrorForAWrongPasswordDoesNotContainThePassword() {
        IOException e = assertThrows(
                IOException.class,
                () -> JdbcSessions.open(server.url() + "?user=" + PostgresServer.USER + "&password=not-it"));
        assertTrue(e.getMessage().contains("password authentication failed for user"), e.getMessage());
        assertFalse(e.getMessage().contains("not-it"), e.getMessage());
    }

    @Test
    void aTableWithWrongColumnsIsReported() throws Exception {
        newSchema("form", "create table form.penstock_sessions (id bigint)");
        IOException e = assertThrows(
                IOException.class, () -> JdbcSessions.open(Postgres.location(server) + "&currentSchema=form"));
        assertTrue(e.getMessage().contains("column \"application\" does not exist"), e.getMessage());
    }
}
