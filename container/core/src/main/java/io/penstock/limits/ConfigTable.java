package io.penstock.limits;

import java.util.List;
import java.util.Locale;

/** Every key, its value and where the value came from, as three columns for people. Secrets are hidden. */
public final class ConfigTable {
    private ConfigTable() {}

    public static String of(Configuration configuration) {
        List<Setting> settings = configuration.settings();
        int keys = 0;
        int values = 0;
        for (Setting setting : settings) {
            keys = Math.max(keys, setting.key().id().length());
            values = Math.max(values, setting.shown().length());
        }
        String format = "%-" + keys + "s = %-" + values + "s  %s\n";
        StringBuilder text = new StringBuilder();
        for (Setting setting : settings) {
            text.append(String.format(Locale.ROOT, format, setting.key().id(), setting.shown(), setting.origin()));
        }
        return text.toString();
    }
}
