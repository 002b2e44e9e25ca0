package io.penstock.tck;

import io.penstock.tck.Outcome.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Formats a run as Markdown: the number of passed tests for each package, and a list of all other tests. */
final class Table {
    private final Run run;
    private final List<Outcome> outcomes;

    Table(Run run) {
        this.run = run;
        outcomes = run.outcomes();
    }

    String text() {
        StringBuilder text = new StringBuilder(8192);
        text.append(String.format(
                Locale.ROOT,
                "Penstock passes **%,d** of the %,d tests of the Jakarta Servlet TCK %s; %,d failed, and %,d are skipped.\n\n",
                count(outcomes, Kind.PASSED),
                outcomes.size(),
                run.tck(),
                count(outcomes, Kind.FAILED),
                count(outcomes, Kind.SKIPPED)));
        text.append(run.circumstances());
        appendOthers(text);
        text.append("\n### By package\n\n| package | tests | passed | failed | skipped |\n|---|---|---|---|---|\n");
        byPackage().forEach((name, tests) -> text.append(row(name, tests)));
        text.append(row("**all**", outcomes));
        return text.toString();
    }

    private Map<String, List<Outcome>> byPackage() {
        return outcomes.stream()
                .collect(Collectors.groupingBy(Outcome::packageName, TreeMap::new, Collectors.toList()));
    }

    private static String row(String name, List<Outcome> tests) {
        return String.format(
                Locale.ROOT,
                "| %s | %,d | %,d | %,d | %,d |\n",
                name,
                tests.size(),
                count(tests, Kind.PASSED),
                count(tests, Kind.FAILED),
                count(tests, Kind.SKIPPED));
    }

    private static long count(List<Outcome> tests, Kind kind) {
        return tests.stream().filter(test -> test.kind() == kind).count();
    }

    private void appendOthers(StringBuilder text) {
        List<Outcome> others =
                outcomes.stream().filter(test -> test.kind() != Kind.PASSED).toList();
        if (others.isEmpty()) {
            return;
        }
        text.append("\n### Not passed\n\n| test | result | reported reason |\n|---|---|---|\n");
        for (Outcome other : others) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s.%s | %s | %s |\n",
                    other.packageName(),
                    other.test(),
                    other.kind().name().toLowerCase(Locale.ROOT),
                    cell(other.message())));
        }
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }
}
