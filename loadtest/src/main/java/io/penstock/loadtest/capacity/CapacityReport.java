package io.penstock.loadtest.capacity;

import io.penstock.loadtest.report.Column;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Numbers;
import io.penstock.loadtest.report.Table;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;

/**
 * The results for several numbers of users, as text and as Markdown.
 *
 * @param title the title of the section in the document
 * @param setting the assumptions of the simulation, in sentences
 */
record CapacityReport(String title, String setting, List<Row> rows, Environment environment) {
    private static final int DIGITS = 3;

    /**
     * The results for one number of users.
     *
     * @param spare the number of spare nodes, which is the number of nodes that may fail
     */
    record Row(double users, Traffic traffic, Needs nodes, long spare, Needs stores) {}

    CapacityReport {
        rows = List.copyOf(rows);
    }

    Table table() {
        Table table = new Table(
                Column.count("users"),
                Column.count("at one time"),
                Column.count("requests/s, mean"),
                Column.count("p99 of a second"),
                Column.count("connections"),
                Column.count("live sessions"),
                Column.count("bytes in the store"),
                Column.count("store calls/s"),
                Column.count("store bytes/s"),
                Column.count("nodes"),
                Column.text("nodes by"),
                Column.count("stores"),
                Column.text("stores by"));
        for (Row row : rows) {
            Traffic traffic = row.traffic();
            table.add(
                    count(row.users()),
                    count(traffic.mean(Quantity.USERS)),
                    count(traffic.mean(Quantity.REQUESTS)),
                    count(traffic.p99(Quantity.REQUESTS)),
                    count(traffic.p99(Quantity.CONNECTIONS)),
                    count(traffic.p99(Quantity.SESSIONS)),
                    bytes(traffic.p99(Quantity.STORED)),
                    count(traffic.p99(Quantity.OPERATIONS)),
                    bytes(traffic.p99(Quantity.TRAFFIC)),
                    Numbers.count(row.nodes().most()) + " + " + row.spare(),
                    reasons(row.nodes()),
                    Numbers.count(row.stores().most()),
                    reasons(row.stores()));
        }
        return table;
    }

    String text() {
        return title + "\n\n" + table().text() + "\n" + setting + "\n" + environment.line() + "\n"
                + environment.command() + "\n";
    }

    String markdown() {
        return "### " + title + "\n\n" + table().markdown() + "\n" + setting + "\n\n" + environment.markdown();
    }

    /**
     * Returns the limit that determines the number of nodes or stores. If one node or store is enough, returns the text "one is enough".
     */
    private static String reasons(Needs needs) {
        return needs.most() == 1 ? "one is enough" : needs.reason();
    }

    /** Writes a number. Numbers from 1000 on are rounded to three significant digits, such as {@code 55,600}. */
    static String count(double value) {
        double rounded = value < 1000 ? Math.rint(value) : digits(value);
        return String.format(Locale.ROOT, "%,.0f", rounded);
    }

    /** Writes a number of bytes in decimal units, such as {@code 12.3 GB}. */
    static String bytes(double value) {
        String[] units = {"B", "KB", "MB", "GB", "TB", "PB"};
        double number = digits(value);
        int unit = 0;
        while (number >= 1000 && unit < units.length - 1) {
            number /= 1000;
            unit++;
        }
        return BigDecimal.valueOf(digits(number)).stripTrailingZeros().toPlainString() + " " + units[unit];
    }

    private static double digits(double value) {
        return BigDecimal.valueOf(value).round(new MathContext(DIGITS)).doubleValue();
    }
}
