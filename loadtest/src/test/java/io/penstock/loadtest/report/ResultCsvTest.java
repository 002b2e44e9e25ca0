package io.penstock.loadtest.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultCsvTest {
    private static final String MARKDOWN = """
            ### Title

            Some text, with a comma.

            | server | requests/s | note |
            | --- | ---: | --- |
            | Penstock | 100 (90–110) | "quick", a \\| b |
            | Tomcat | - | - |

            - Command: `x`
            """;

    private static final String CSV = """
            # ### Title
            #
            # Some text, with a comma.
            #
            server,requests/s,note
            Penstock,100 (90–110),\"""quick"", a | b"
            Tomcat,,
            #
            # - Command: `x`
            """;

    @Test
    void tablesAreConvertedToCsvAndOtherTextIsConvertedToComments() {
        assertEquals(CSV, ResultCsv.of(MARKDOWN.strip()));
    }

    @Test
    void theCsvIsConvertedBackToTheSameMarkdown() {
        assertEquals(MARKDOWN, ResultCsv.markdown(CSV));
    }

    @Test
    void aTableAtTheEndOfTheTextIsConverted() {
        String markdown = "| a | b |\n| ---: | --- |\n| 1 | x |\n";
        assertEquals("a,b\n1,x\n", ResultCsv.of(markdown.strip()));
        assertEquals(markdown, ResultCsv.markdown("a,b\n1,x\n"));
    }

    @Test
    void theSameContentIsPublishedInThePageAndInTheCsvFile(@TempDir Path folder) throws IOException {
        Path page = folder.resolve("users.md");
        Files.writeString(page, "# Title\n\n<!-- begin users -->\nold\n<!-- end users -->\n");
        ResultCsv.publish(page, "users", MARKDOWN);
        assertEquals(
                "# Title\n\n<!-- begin users -->\n\n" + MARKDOWN + "\n<!-- end users -->\n", Files.readString(page));
        assertEquals(CSV, Files.readString(folder.resolve("users.csv")));
    }

    @Test
    void noCsvFileIsWrittenIfTheSectionIsMissingInThePage(@TempDir Path folder) throws IOException {
        Path page = Files.writeString(folder.resolve("users.md"), "# Title\n");
        assertThrows(IOException.class, () -> ResultCsv.publish(page, "users", MARKDOWN));
        assertFalse(Files.exists(folder.resolve("users.csv")));
    }
}
