package io.penstock.loadtest.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

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
}
