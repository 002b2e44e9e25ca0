package io.penstock.loadtest.compare.users;

import io.penstock.loadtest.report.Column;
import io.penstock.loadtest.report.Spread;
import io.penstock.loadtest.report.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The results of the comparison of users as tables. If there are several runs, a cell has the median and, in parentheses, the lowest and
 * highest value.
 */
final class UsersTables {
    private static final Column USERS = Column.count("users");
    /** Marks the results of runs that other programs disturbed. */
    static final String DISTURBED = " (!)";

    private static final Column SERVER = Column.text("server");

    private final UsersResults results;

    UsersTables(UsersResults results) {
        this.results = results;
    }

    /** A table with one row for each number of users and each server. A row has all quantities. */
    Table all(Asked asked) {
        List<Column> columns = new ArrayList<>(List.of(USERS, SERVER));
        Arrays.stream(Quantity.values())
                .map(quantity -> Column.count(quantity.heading()))
                .forEach(columns::add);
        Table table = new Table(columns.toArray(new Column[0]));
        for (UsersResults.Row row : results.rows(asked)) {
            List<@Nullable Object> cells = new ArrayList<>(List.of(row.users(), results.title(row.server())));
            for (Quantity quantity : Quantity.values()) {
                cells.add(cell(row, quantity).orElse(null));
            }
            table.add(cells.toArray());
        }
        return table;
    }

    /** A table of one quantity, with one row for each server and one column for each number of users. */
    Table one(Asked asked, Quantity quantity) {
        List<Column> columns = new ArrayList<>(List.of(SERVER));
        List<Integer> users = results.users();
        users.forEach(count -> columns.add(Column.count(count + " users")));
        Table table = new Table(columns.toArray(new Column[0]));
        for (String server : results.servers()) {
            List<@Nullable Object> cells = new ArrayList<>(List.of(results.title(server)));
            for (int count : users) {
                Optional<UsersResults.Row> row = results.row(server, count, asked);
                cells.add(row.flatMap(found -> cell(found, quantity)).orElse(null));
            }
            table.add(cells.toArray());
        }
        return table;
    }

    /** A table for other programs. The median, lowest and highest value are in separate columns, with three decimals. */
    Table numbers(Asked asked) {
        List<Column> columns = new ArrayList<>(List.of(USERS, SERVER, Column.text("title"), Column.count("runs")));
        for (Quantity quantity : Quantity.values()) {
            columns.add(Column.number(quantity.key(), 3));
            columns.add(Column.number(quantity.key() + "Lowest", 3));
            columns.add(Column.number(quantity.key() + "Highest", 3));
        }
        Table table = new Table(columns.toArray(new Column[0]));
        for (UsersResults.Row row : results.rows(asked)) {
            List<@Nullable Object> cells = new ArrayList<>(List.of(
                    row.users(),
                    row.server(),
                    results.title(row.server()),
                    row.runs().size()));
            for (Quantity quantity : Quantity.values()) {
                Optional<Spread> spread = row.spread(quantity);
                cells.add(spread.map(Spread::median).orElse(null));
                cells.add(spread.map(Spread::lowest).orElse(null));
                cells.add(spread.map(Spread::highest).orElse(null));
            }
            table.add(cells.toArray());
        }
        return table;
    }

    /** A table of the measurements that failed, with the reasons. It has no rows if no measurement has failed. */
    Table gaps() {
        Table table = new Table(USERS, SERVER, Column.text("not measured, because"));
        for (UsersResults.Gap gap : results.gaps()) {
            table.add(gap.users(), results.title(gap.server()), gap.reason());
        }
        return table;
    }

    private Optional<String> cell(UsersResults.Row row, Quantity quantity) {
        String mark = results.isDisturbed(row) ? DISTURBED : "";
        return row.spread(quantity).map(spread -> cell(spread, quantity) + mark);
    }

    private static String cell(Spread spread, Quantity quantity) {
        String median = quantity.write(spread.median());
        String lowest = quantity.write(spread.lowest());
        String highest = quantity.write(spread.highest());
        return lowest.equals(highest) ? median : median + " (" + lowest + "–" + highest + ")";
    }
}
