package io.penstock.standalone;

import io.penstock.limits.Configuration;
import io.penstock.limits.Setting;
import java.io.PrintWriter;

/** Prints every key, its value and where the value came from, as three columns. */
final class ConfigTable {
    private ConfigTable() {}

    static void print(Configuration configuration, PrintWriter out) {
        int keys = 0;
        int values = 0;
        for (Setting setting : configuration.settings()) {
            keys = Math.max(keys, setting.key().id().length());
            values = Math.max(values, setting.shown().length());
        }
        String format = "%-" + keys + "s = %-" + values + "s  %s%n";
        for (Setting setting : configuration.settings()) {
            out.printf(format, setting.key().id(), setting.shown(), setting.origin());
        }
        out.flush();
    }
}
