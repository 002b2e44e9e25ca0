package io.penstock.session.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests {@code docs/sessions.md}. The document must define the same tables as the server creates. */
class SessionsDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "sessions.md");

    @Test
    void theDocumentContainsTheSqlThatCreatesTheTables() throws IOException {
        String text = Files.readString(DOCUMENT);
        String start = "```sql\n";
        int begin = text.indexOf(start) + start.length();
        String sql = text.substring(begin, text.indexOf("```", begin));
        assertEquals(String.join(";\n", Tables.definitions(Dialect.POSTGRESQL)) + ";\n", sql);
    }
}
