package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.report.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The results of an earlier run, read from its JSON file. With these results, a long comparison can be measured in several runs.
 *
 * @param terms the conditions of the earlier run; the run that adds these results must have the same conditions
 * @param titles a map from the name of each server to its name in tables
 * @param commands a map from the name of each server in tables to the commands that started it
 * @param runs one line for each run in which a part of these results was measured
 */
record EarlierRun(
        String terms,
        Map<String, String> titles,
        Map<String, List<String>> commands,
        List<String> runs,
        List<Turn> turns,
        List<RowsResults.Gap> gaps) {

    /** @throws IOException if the file cannot be read, or is not a result of this program */
    static EarlierRun read(Path file) throws IOException {
        Map<String, Object> json = Json.readObject(file);
        if (!(json.get("terms") instanceof String terms) || !(json.get("titles") instanceof Map<?, ?> titled)) {
            throw new IOException(file + " is not a result that --go-on can continue");
        }
        Map<String, String> titles = new LinkedHashMap<>();
        titled.forEach((server, title) -> titles.put(text(server), text(title)));
        Map<String, List<String>> commands = new LinkedHashMap<>();
        object(json.get("commands")).forEach((title, lines) -> commands.put(text(title), texts(lines)));
        List<String> runs = new ArrayList<>(texts(json.get("earlierRuns")));
        Map<?, ?> environment = object(json.get("environment"));
        runs.add(text(environment.get("date")) + ": `" + text(environment.get("command")) + "`");
        return new EarlierRun(
                terms,
                titles,
                commands,
                List.copyOf(runs),
                list(json.get("turns")).stream().map(turn -> turn(object(turn))).toList(),
                list(json.get("notMeasured")).stream()
                        .map(gap -> gap(object(gap)))
                        .toList());
    }

    /** The ids of the works with measurements in these results. */
    Set<String> works() {
        Set<String> works = new LinkedHashSet<>();
        turns.forEach(turn -> works.add(turn.work()));
        return works;
    }

    private static Turn turn(Map<?, ?> turn) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            Object value = turn.get(figure.key());
            if (value != null) {
                figures.put(figure, number(value));
            }
        }
        return new Turn(
                text(turn.get("server")),
                text(turn.get("work")),
                (int) number(turn.get("round")),
                figures,
                text(turn.get("firstTrouble")),
                number(turn.get("othersUsed")));
    }

    private static RowsResults.Gap gap(Map<?, ?> gap) {
        return new RowsResults.Gap(text(gap.get("server")), text(gap.get("work")), text(gap.get("reason")));
    }

    private static Map<?, ?> object(@Nullable Object value) {
        return value instanceof Map<?, ?> object ? object : Map.of();
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    private static List<String> texts(@Nullable Object value) {
        return list(value).stream().map(EarlierRun::text).toList();
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    /**
     * Reads a number. If the value is a text, such as "never", the event did not happen and its time is infinite. If the value is missing,
     * the number is not known.
     */
    private static double number(@Nullable Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        return value == null ? Double.NaN : Double.POSITIVE_INFINITY;
    }
}
