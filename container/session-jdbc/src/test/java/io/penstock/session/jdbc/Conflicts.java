package io.penstock.session.jdbc;

import io.penstock.store.AttributeTable.OfOneAttribute;

/** Converts {@link OfOneAttribute} into options of the setting {@code session-store}. */
final class Conflicts {
    private Conflicts() {}

    /** Returns the part of the setting after the URL. */
    static String option(OfOneAttribute conflict) {
        return "#timeout=60s&conflict=" + (conflict == OfOneAttribute.LATER_WINS ? "last-wins" : "refuse");
    }
}
