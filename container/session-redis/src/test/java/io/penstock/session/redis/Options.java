package io.penstock.session.redis;

import io.penstock.store.AttributeTable.OfOneAttribute;

/** The options of a store in tests: a busy machine gets no answer in two seconds, which is not what most tests ask. */
final class Options {
    private Options() {}

    static String of(OfOneAttribute conflict) {
        return "?timeout=60s&conflict=" + (conflict == OfOneAttribute.LATER_WINS ? "last-wins" : "refuse");
    }
}
