package io.penstock.tck;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the results of a run into a document. Fails if a test has not passed, unless the {@link Kit} has a reason for it. */
public final class Report {
    private Report() {}

    /**
     * @param args five arguments: the name of the kit, its archive, the commit or tag that it was built from, the folder of Surefire's
     *     reports, and the document with {@link Results}
     */
    public static void main(String... args) throws IOException {
        Run run = Run.read(Kit.named(args[0]), Path.of(args[1]), args[2], Path.of(args[3]));
        Path document = Path.of(args[4]).toAbsolutePath().normalize();
        Results.replace(document, run);
        List<Outcome> unexpected = run.unexpected();
        if (!unexpected.isEmpty()) {
            throw new IllegalStateException(unexpected.size() + " tests have not passed, see " + document + ":\n"
                    + unexpected.stream()
                            .map(outcome -> outcome.className() + "." + outcome.test())
                            .collect(Collectors.joining("\n")));
        }
    }
}
