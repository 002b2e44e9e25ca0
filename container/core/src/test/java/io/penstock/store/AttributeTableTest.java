package io.penstock.store;

import java.util.HashMap;
import java.util.Map;

/** The contract holds for the table in memory by which other tests judge. */
final class AttributeTableTest extends SessionStoreContract {
    private final Map<String, AttributeTable> tables = new HashMap<>();

    @Override
    protected SessionStores open(AttributeTable.OfOneAttribute conflict) {
        return path -> tables.computeIfAbsent(path + conflict, unused -> new AttributeTable(conflict));
    }
}
