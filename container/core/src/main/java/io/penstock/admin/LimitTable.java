package io.penstock.admin;

import io.penstock.limits.Configuration;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Setting;
import java.util.Locale;

/** Prints a table of the limits. A row has the limit's name and value, how often the limit was reached, and the consequence. */
public final class LimitTable {
    private LimitTable() {}

    public static String of(Configuration configuration, Counters counters) {
        StringBuilder text = new StringBuilder("\nlimits, and how often each was reached since the start:\n");
        for (Setting setting : configuration.settings()) {
            Counter counter = setting.key().consequence().counter();
            if (counter != null) {
                text.append(String.format(
                        Locale.ROOT,
                        "  %-24s %14s %14d  beyond it: %s\n",
                        setting.key().id(),
                        setting.shown(),
                        counters.value(counter),
                        setting.key().consequence().effect()));
            }
        }
        return text.toString();
    }
}
