package io.penstock.session.jdbc;

import io.penstock.store.AttributeTable.OfOneAttribute;
import io.penstock.store.SessionStoreContract;
import io.penstock.store.SessionStores;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.PostgresServer;
import io.penstock.testing.Program;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests the contract of session stores with PostgreSQL. */
@NeedsProgram(Program.POSTGRES)
class PostgresStoreTest extends SessionStoreContract {
    private static PostgresServer server;

    @BeforeAll
    static void start() throws Exception {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Override
    protected SessionStores open(OfOneAttribute conflict) throws IOException {
        return JdbcSessions.open(Postgres.location(server) + Conflicts.option(conflict));
    }
}
