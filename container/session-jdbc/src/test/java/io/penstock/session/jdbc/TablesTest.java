package io.penstock.session.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests that the server creates missing tables in H2, or reports why it cannot use the database. */
class TablesTest {
    @Test
    void theNewTablesCanBeUsedByAllServersThatStartAtTheSameTime() throws Exception {
        for (int i = 0; i < StartAtOnce.REPETITIONS; i++) {
            StartAtOnce.open("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000");
        }
    }

    @Test
    void missingTablesAreNotCreatedIfCreationIsOff() {
        IOException e = assertThrows(
                IOException.class, () -> JdbcSessions.open("jdbc:h2:mem:" + UUID.randomUUID() + "#create-tables=off"));
        assertTrue(e.getMessage().startsWith("Table \"PENSTOCK_SESSIONS\" not found"), e.getMessage());
        assertTrue(e.getMessage().endsWith("; docs/sessions.md has the definitions of the tables"), e.getMessage());
    }

    @Test
    void aDataSourceWithAnotherIsolationLevelThanReadCommittedIsRefused() throws Exception {
        org.h2.jdbcx.JdbcDataSource source = new org.h2.jdbcx.JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID()
                + ";INIT=SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE");
        IOException e = assertThrows(IOException.class, () -> JdbcSessions.open(source, JdbcOptions.defaults()));
        assertEquals("the connections of the data source are not READ COMMITTED", e.getMessage());
    }
}
