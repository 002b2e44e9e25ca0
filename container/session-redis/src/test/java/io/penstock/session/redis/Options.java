package io.penstock.session.redis;

import io.penstock.store.AttributeTable.OfOneAttribute;

/** Creates the options of a store for tests. With the default time-out of two seconds, a test could fail on a busy machine. */
final class Options {
    private Options() {}

    static String of(OfOneAttribute conflict) {
        return "?timeout=60s&conflict=" + (conflict == OfOneAttribute.LATER_WINS ? "last-wins" : "refuse");
    }
}
