package io.penstock.tck;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the results of a TCK run into a document. Fails if a test has an unexpected result. */
public final class Report {
    private Report() {}

    /**
     * @param args four arguments: the TCK's archive, the folder of Surefire's reports, the document with a {@link Section}, and the command
     *     of the run
     */
    public static void main(String... args) throws IOException {
        Run run = Run.read(Path.of(args[0]), Path.of(args[1]), args[3]);
        Path document = Path.of(args[2]).toAbsolutePath().normalize();
        Section.replace(document, new Table(run).text());
        List<Outcome> unexpected =
                run.outcomes().stream().filter(outcome -> !outcome.isExpected()).toList();
        if (!unexpected.isEmpty()) {
            throw new IllegalStateException(unexpected.size() + " tests have not passed, see " + document + ":\n"
                    + unexpected.stream()
                            .map(outcome -> outcome.className() + "." + outcome.test())
                            .collect(Collectors.joining("\n")));
        }
    }
}
