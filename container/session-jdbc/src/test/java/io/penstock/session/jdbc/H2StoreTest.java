package io.penstock.session.jdbc;

import io.penstock.store.AttributeTable.OfOneAttribute;
import io.penstock.store.SessionStoreContract;
import io.penstock.store.SessionStores;
import java.io.IOException;
import java.util.UUID;

/** Tests the contract of session stores with H2 and standard SQL. */
class H2StoreTest extends SessionStoreContract {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";

    @Override
    protected SessionStores open(OfOneAttribute conflict) throws IOException {
        return JdbcSessions.open(url + Conflicts.option(conflict));
    }
}
