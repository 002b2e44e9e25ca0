package io.penstock.session.redis;

import io.penstock.store.AttributeTable.OfOneAttribute;

/** Creates the options of a store for tests. The time-out is long, because a reply may take more than two seconds on a busy machine. */
final class Options {
    private Options() {}

    static String of(OfOneAttribute conflict) {
        return "?timeout=60s&conflict=" + (conflict == OfOneAttribute.LATER_WINS ? "last-wins" : "refuse");
    }
}
