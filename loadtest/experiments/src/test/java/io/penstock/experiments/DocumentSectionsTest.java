package io.penstock.experiments;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.experiments.pages.MarkdownSection;
import io.penstock.loadtest.report.ResultCsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Checks that the documents have a section for each command and no other sections. */
class DocumentSectionsTest {
    private static final Path RESULTS = Path.of("..", "..", "docs", "results");
    private static final Pattern BEGIN = Pattern.compile("<!-- begin (\\S+) -->");

    @Test
    void eachCommandHasASectionInTheDocumentsAndEachSectionHasACommand() throws Exception {
        Set<String> sections = new TreeSet<>();
        collect(Main.commandLine(), "", sections);
        assertTrue(sections.containsAll(Set.of("io-send", "transactions")));
        for (String section : sections) {
            assertDoesNotThrow(() -> MarkdownSection.check(document(section), section));
        }
        Set<String> inDocuments = new TreeSet<>();
        for (Path document : files(".md")) {
            Matcher begin = BEGIN.matcher(Files.readString(document));
            while (begin.find()) {
                inDocuments.add(begin.group(1));
            }
        }
        assertEquals(sections, inDocuments);
    }

    @Test
    void everyResultPageContainsTheTablesOfItsCsvFile() throws Exception {
        List<Path> tables = files(".csv");
        assertFalse(tables.isEmpty());
        for (Path csv : tables) {
            String name = csv.getFileName().toString().replaceFirst("\\.csv$", "");
            if (name.startsWith("compare-")) {
                // Its page is made on demand, by the command "page" of the load test.
                continue;
            }
            String page = Files.readString(document(name));
            String made = ResultCsv.markdown(Files.readString(csv)).strip();
            assertTrue(page.contains(made), () -> csv + " and its page differ: run the command of this page again");
        }
    }

    private static Path document(String section) {
        return RESULTS.resolve(section + ".md");
    }

    private static List<Path> files(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(RESULTS)) {
            return files.filter(file -> file.toString().endsWith(suffix)).toList();
        }
    }

    /**
     * Adds the names of the sections of a command and of its subcommands. The name of a section consists of the names of the command and of
     * its parent command, such as {@code io-send} for {@code io send}. The command {@code all} has no section, since it writes the sections of
     * the other commands.
     */
    private static void collect(CommandLine command, String name, Set<String> sections) {
        if (command.getCommandSpec().findOption("--write-docs") != null && !name.endsWith("-all")) {
            sections.add(name);
        }
        command.getSubcommands().values().stream().distinct().forEach(sub -> {
            String own = sub.getCommandName();
            collect(sub, name.isEmpty() ? own : name + "-" + own, sections);
        });
    }
}
