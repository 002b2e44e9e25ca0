package io.penstock.session.jdbc;

import io.penstock.store.AttributeTable.OfOneAttribute;

/** The rules of the contract as options. */
final class Conflicts {
    private Conflicts() {}

    /** What is behind the URL. */
    static String option(OfOneAttribute conflict) {
        return "#timeout=60s&conflict=" + (conflict == OfOneAttribute.LATER_WINS ? "last-wins" : "refuse");
    }
}
