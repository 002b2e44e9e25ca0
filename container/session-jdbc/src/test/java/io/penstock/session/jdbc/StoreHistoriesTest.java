package io.penstock.session.jdbc;

import io.penstock.store.AttributeTable.OfOneAttribute;
import io.penstock.store.SessionStores;
import io.penstock.store.StoreHistories;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.PostgresServer;
import io.penstock.testing.Program;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs random operations of three servers, and compares the results with a model (a session store in memory). */
class StoreHistoriesTest {
    private static final int HISTORIES = 40;

    @ParameterizedTest
    @EnumSource(OfOneAttribute.class)
    void randomOperationsWithH2MatchTheModel(OfOneAttribute conflict) throws Exception {
        run(conflict, "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    @ParameterizedTest
    @EnumSource(OfOneAttribute.class)
    @NeedsProgram(Program.POSTGRES)
    void randomOperationsWithPostgresqlMatchTheModel(OfOneAttribute conflict) throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            run(conflict, Postgres.location(server));
        }
    }

    private static void run(OfOneAttribute conflict, String url) throws IOException {
        List<SessionStores> servers = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                servers.add(JdbcSessions.open(url + Conflicts.option(conflict)));
            }
            new StoreHistories(conflict, servers).run(HISTORIES);
        } finally {
            for (SessionStores server : servers) {
                server.close();
            }
        }
    }
}
