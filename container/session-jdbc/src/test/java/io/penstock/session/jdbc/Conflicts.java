package io.penstock.session.jdbc;

import io.penstock.store.AttributeTable.OfOneAttribute;

/** Converts the conflict rules of the store contract into options of {@code session-store}. */
final class Conflicts {
    private Conflicts() {}

    /** Returns the part of the location after the URL. */
    static String option(OfOneAttribute conflict) {
        return "#timeout=60s&conflict=" + (conflict == OfOneAttribute.LATER_WINS ? "last-wins" : "refuse");
    }
}
