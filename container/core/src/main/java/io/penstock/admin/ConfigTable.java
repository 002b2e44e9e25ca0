package io.penstock.admin;

import io.penstock.limits.ApplicationSetting;
import io.penstock.limits.Configuration;
import io.penstock.limits.Origin;
import io.penstock.limits.Setting;
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
        return table(configuration.settings(), configuration.applicationSettings());
    }

    /** Only the keys whose values differ from their defaults in {@code penstock.jar}, and the settings of applications. */
    public static String changed(Configuration configuration) {
        List<Setting> changed = configuration.settings().stream()
                .filter(configuration::isChanged)
                .toList();
        return table(changed, configuration.applicationSettings());
    }

    private static String table(List<Setting> settings, List<ApplicationSetting> ofApplications) {
        List<Row> rows = new ArrayList<>();
        for (Setting setting : settings) {
            rows.add(new Row(setting.key().id(), setting.shown(), setting.origin()));
        }
        for (ApplicationSetting setting : ofApplications) {
            rows.add(new Row(setting.id(), setting.shown(), setting.origin()));
        }
        int keys = 0;
        int values = 0;
        for (Row row : rows) {
            keys = Math.max(keys, row.name.length());
            values = Math.max(values, Math.min(row.value.length(), WIDEST_VALUE));
        }
        if (rows.isEmpty()) {
            return "";
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
