package io.penstock.session.redis;

import io.penstock.store.AttributeTable.OfOneAttribute;

/** The options of a store in tests, with a long time-out: on a busy machine an answer may take more than two seconds. */
final class Options {
    private Options() {}

    static String of(OfOneAttribute conflict) {
        return "?timeout=60s&conflict=" + (conflict == OfOneAttribute.LATER_WINS ? "last-wins" : "refuse");
    }
}
