package io.penstock.limits;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints a table of all configuration keys and all settings of applications. The columns are name, value and origin. Secrets are hidden.
 */
public final class ConfigTable {
    /** The maximum width of the column of values. In a row with a longer value, the origin is further to the right. */
    private static final int WIDEST_VALUE = 32;

    private ConfigTable() {}

    public static String of(Configuration configuration) {
        List<Row> rows = new ArrayList<>();
        for (Setting setting : configuration.settings()) {
            rows.add(new Row(setting.key().id(), setting.shown(), setting.origin()));
        }
        for (ApplicationSetting setting : configuration.applicationSettings()) {
            rows.add(new Row(setting.id(), setting.shown(), setting.origin()));
        }
        int keys = 0;
        int values = 0;
        for (Row row : rows) {
            keys = Math.max(keys, row.name.length());
            values = Math.max(values, Math.min(row.value.length(), WIDEST_VALUE));
        }
        String format = "%-" + keys + "s = %-" + values + "s  %s\n";
        StringBuilder text = new StringBuilder();
        for (Row row : rows) {
            text.append(String.format(Locale.ROOT, format, row.name, row.value, row.origin));
        }
        return text.toString();
    }

    private record Row(String name, String value, Origin origin) {}
}
