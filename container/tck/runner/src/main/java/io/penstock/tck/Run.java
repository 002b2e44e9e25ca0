package io.penstock.tck;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run of a TCK, and its environment.
 *
 * @param tck the version of the TCK
 * @param command the command that started the run
 */
record Run(String tck, String command, List<Outcome> outcomes) {
    private static final Pattern VERSION = Pattern.compile(".*-(\\d.*)\\.jar");

    Run {
        outcomes = List.copyOf(outcomes);
    }

    /** @param archive the archive of the TCK in the local repository; its file name contains the version */
    static Run read(Path archive, Path reports, String command) throws IOException {
        Matcher version = VERSION.matcher(archive.getFileName().toString());
        if (!version.matches()) {
            throw new IllegalArgumentException(archive + " has no version in its name");
        }
        List<Outcome> told = SurefireReports.read(reports);
        if (told.isEmpty()) {
            throw new IllegalStateException(reports + ": no test has run");
        }
        try (JarFile jar = new JarFile(archive.toFile())) {
            return new Run(version.group(1), command, TestClasses.complete(told, TestClasses.of(jar)));
        }
    }

    /** The date, the command and the environment of the run, as lines of a Markdown list. */
    String circumstances() {
        return "- " + LocalDate.now(ZoneOffset.UTC) + ", `" + command + "`\n"
                + "- TCK: " + tck + "\n"
                + "- Java: " + property("java.vm.vendor") + ", " + property("java.vm.name") + " "
                + property("java.vm.version") + "\n"
                + "- System: " + property("os.name") + " " + property("os.version") + " " + property("os.arch") + ", "
                + Runtime.getRuntime().availableProcessors() + " processors\n";
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }
}
