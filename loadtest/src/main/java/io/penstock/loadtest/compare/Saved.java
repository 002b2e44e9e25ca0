package io.penstock.loadtest.compare;

import io.penstock.loadtest.report.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The results of an earlier run, as its JSON file has them. So a long comparison can be measured in several runs.
 *
 * @param terms the conditions of the earlier run; the run that adds these results must have the same conditions
 * @param titles a map from the name of each server to its name in tables
 * @param commands a map from the name of each server in tables to the commands that started it
 * @param runs one line for each run in which a part of these results was measured
 */
record Saved(
        String terms,
        Map<String, String> titles,
        Map<String, List<String>> commands,
        List<String> runs,
        List<Turn> turns,
        List<Results.Gap> gaps) {
    /** The name of this object in the JSON file of a run. */
    static final String KEY = "toGoOn";

    /** @throws IOException if the file cannot be read, or is not a result of this program */
    static Saved read(Path file) throws IOException {
        return Json.read(file, KEY, Saved.class);
    }

    /** The ids of the works with measurements in these results. */
    Set<String> works() {
        return turns.stream().map(Turn::work).collect(Collectors.toSet());
    }
}
