package io.penstock.store;

import java.util.HashMap;
import java.util.Map;

/** Tests that {@link AttributeTable} fulfils the contract of a session store. Other tests use it as the model of a correct store. */
final class AttributeTableTest extends SessionStoreContract {
    private final Map<String, AttributeTable> tables = new HashMap<>();

    @Override
    protected SessionStores open(AttributeTable.OfOneAttribute conflict) {
        return path -> tables.computeIfAbsent(path + conflict, unused -> new AttributeTable(conflict));
    }
}
