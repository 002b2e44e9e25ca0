package io.penstock.experiments;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.report.MarkdownSection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Every command that writes a section has a place in its document, and the documents have no others. */
class DocumentSectionsTest {
    private static final Path PERFORMANCE = Path.of("..", "..", "docs", "performance.md");
    private static final Path SCALING = Path.of("..", "..", "docs", "scaling.md");
    private static final Pattern BEGIN = Pattern.compile("<!-- begin (\\S+) -->");

    @Test
    void everySectionStandsExactlyOnce() throws Exception {
        Set<String> sections = new TreeSet<>();
        collect(Main.commandLine(), "", sections);
        collect(io.penstock.loadtest.Main.commandLine(), "", sections);
        assertTrue(sections.containsAll(Set.of("compare-users", "io-send", "transactions")));
        for (String section : sections) {
            Path document = section.startsWith("capacity") ? SCALING : PERFORMANCE;
            assertDoesNotThrow(() -> MarkdownSection.check(document, section));
        }
        Set<String> inDocuments = new TreeSet<>();
        Matcher begin = BEGIN.matcher(Files.readString(PERFORMANCE) + Files.readString(SCALING));
        while (begin.find()) {
            inDocuments.add(begin.group(1));
        }
        assertEquals(sections, inDocuments);
    }

    /**
     * The name of a section is that of its command, with the group's name before it and without the dashes of a command such as
     * {@code compare --tls}; {@code all} writes those of the others. A command with the option {@code --tls} or {@code --at-once} has a second one for it.
     */
    private static void collect(CommandLine command, String name, Set<String> sections) {
        if (command.getCommandSpec().findOption("--write-docs") != null && !name.endsWith("-all")) {
            sections.add(name);
            for (String option : new String[] {"-tls", "-at-once"}) {
                if (command.getCommandSpec().findOption('-' + option) != null) {
                    sections.add(name + option);
                }
            }
        }
        command.getSubcommands().values().stream().distinct().forEach(sub -> {
            String own = sub.getCommandName().replaceFirst("^-+", "");
            collect(sub, name.isEmpty() ? own : name + "-" + own, sections);
        });
    }
}
