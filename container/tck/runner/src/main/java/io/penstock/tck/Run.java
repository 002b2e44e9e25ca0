package io.penstock.tck;

import io.penstock.tck.Outcome.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run of a kit, as rows of the two tables of {@link Results}.
 *
 * @param version the version of the kit
 * @param source the commit or tag that the kit was built from
 */
record Run(Kit kit, String version, String source, List<Outcome> outcomes) {
    private static final Pattern VERSION = Pattern.compile(".*-(\\d.*)\\.jar");

    Run {
        outcomes = List.copyOf(outcomes);
    }

    /** @param archive the archive of the kit in the local repository; its file name contains the version */
    static Run read(Kit kit, Path archive, String source, Path reports) throws IOException {
        Matcher version = VERSION.matcher(archive.getFileName().toString());
        if (!version.matches()) {
            throw new IllegalArgumentException(archive + " has no version in its name");
        }
        List<Outcome> told = SurefireReports.read(reports);
        if (told.isEmpty()) {
            throw new IllegalStateException(reports + ": no test has run");
        }
        try (JarFile jar = new JarFile(archive.toFile())) {
            return new Run(kit, version.group(1), source, TestClasses.complete(told, TestClasses.of(jar)));
        }
    }

    /** The tests that have not passed, although they must. */
    List<Outcome> unexpected() {
        return outcomes.stream()
                .filter(test -> test.kind() != Kind.PASSED && kit.reason(test).isEmpty())
                .toList();
    }

    /** The row with the date, the versions, and the numbers of tests. */
    String row() {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s | %,d | %,d | %,d | %,d |",
                kit.title(),
                version,
                cell(source),
                LocalDate.now(ZoneOffset.UTC),
                cell(System.getProperty("java.vm.vendor", "") + " " + System.getProperty("java.vm.version", "")),
                outcomes.size(),
                count(Kind.PASSED),
                count(Kind.FAILED),
                count(Kind.SKIPPED));
    }

    /** A row for each test that has not passed, with the known reason, or else with the message of the failure. */
    List<String> others() {
        return outcomes.stream()
                .filter(test -> test.kind() != Kind.PASSED)
                .map(test -> "| " + kit.title() + " | " + kit.name(test) + " | "
                        + test.kind().name().toLowerCase(Locale.ROOT) + " | "
                        + cell(kit.reason(test).isEmpty() ? test.message() : kit.reason(test)) + " |")
                .toList();
    }

    private long count(Kind kind) {
        return outcomes.stream().filter(test -> test.kind() == kind).count();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }
}
