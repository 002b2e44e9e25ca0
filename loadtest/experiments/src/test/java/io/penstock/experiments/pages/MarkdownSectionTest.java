package io.penstock.experiments.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarkdownSectionTest {
    private static final String BEFORE = "# Title\n\n<!-- begin users -->\nold\n<!-- end users -->\n\nrest\n";

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void createFile() throws IOException {
        file = directory.resolve("performance.md");
        Files.writeString(file, BEFORE);
    }

    @Test
    void onlyTheTextBetweenTheMarkersIsReplaced() throws IOException {
        MarkdownSection.replace(file, "users", "| new |\n");
        assertEquals(
                "# Title\n\n<!-- begin users -->\n\n| new |\n\n<!-- end users -->\n\nrest\n", Files.readString(file));
    }

    @Test
    void replacingASectionAgainWithTheSameTextDoesNotChangeTheFile() throws IOException {
        MarkdownSection.replace(file, "users", "\nnew $1 \\ text\n\n");
        String once = Files.readString(file);
        MarkdownSection.replace(file, "users", "\nnew $1 \\ text\n\n");
        assertEquals(once, Files.readString(file));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<!-- begin users --> | has no line <!-- end users -->",
                "<!-- end users --> | has no line <!-- begin users -->",
                "<!-- end users --> <!-- begin users --> | has <!-- end users --> before",
                "<!-- begin users --> <!-- begin users --> <!-- end users --> | twice",
            })
    void wrongMarkersAreReportedAndTheFileIsUnchanged(String text, String message) throws IOException {
        Files.writeString(file, text);
        IOException failure = assertThrows(IOException.class, () -> MarkdownSection.replace(file, "users", "new"));
        assertTrue(failure.getMessage().contains(message), failure.getMessage());
        assertEquals(text, Files.readString(file));
    }

    @Test
    void aMissingFileIsReported() {
        Path missing = directory.resolve("missing.md");
        IOException failure = assertThrows(IOException.class, () -> MarkdownSection.replace(missing, "users", "new"));
        assertTrue(failure.getMessage().startsWith("No such file: " + missing), failure.getMessage());
    }

    @Test
    void theSameContentIsPublishedInThePageAndInTheCsvFile() throws IOException {
        String markdown = "### Title\n\n| server | requests/s |\n| --- | ---: |\n| Penstock | 100 |\n";
        MarkdownSection.publish(file, "users", markdown);
        assertEquals(BEFORE.replace("\nold\n", "\n\n" + markdown + "\n"), Files.readString(file));
        assertEquals(
                "# ### Title\n#\nserver,requests/s\nPenstock,100\n", Files.readString(directory.resolve("users.csv")));
    }

    @Test
    void noCsvFileIsWrittenIfTheSectionIsMissingInThePage() throws IOException {
        Files.writeString(file, "# Title\n");
        assertThrows(IOException.class, () -> MarkdownSection.publish(file, "users", "| a |\n| --- |\n"));
        assertFalse(Files.exists(directory.resolve("users.csv")));
    }
}
