package io.penstock.sample.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the static pages of the sample. The file {@code WEB-INF/frame.html} (the frame) contains a header, a navigation and a footer. Each
 * page contains a copy of them.
 */
class StaticPagesTest {
    private static final Path WEBAPP = Path.of("src/main/webapp");

    static List<Path> staticPages() throws IOException {
        try (Stream<Path> files = Files.list(WEBAPP)) {
            return files.filter(file -> file.toString().endsWith(".html"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("staticPages")
    void eachPageHasTheHeaderAndTheNavigationAndTheFooterOfTheFrame(Path page) throws IOException {
        String frame = Files.readString(WEBAPP.resolve("WEB-INF/frame.html"));
        String expected = frame.replace("href=\"{{context}}/\"", "href=\"./\"").replace("{{context}}/", "");
        String actual = Files.readString(page).replace(" aria-current=\"page\"", "");
        for (String part : List.of("header", "nav", "footer")) {
            assertEquals(element(part, expected), element(part, actual));
        }
    }

    @ParameterizedTest
    @MethodSource("staticPages")
    void eachPageIsMarkedAsCurrentInItsNavigation(Path page) throws IOException {
        String name = page.getFileName().toString();
        String link = name.equals("index.html") ? "./" : name;
        assertTrue(Files.readString(page).contains("<a href=\"" + link + "\" aria-current=\"page\">"));
    }

    @ParameterizedTest
    @MethodSource("staticPages")
    void eachPageRefersOnlyToExistingSourceFiles(Path page) throws IOException {
        for (String piece : Files.readString(page).split("data-source=\"source/", -1)) {
            if (!piece.startsWith("<!DOCTYPE")) {
                String file = piece.substring(0, piece.indexOf('"'));
                assertTrue(Files.exists(Path.of("src/main/java/io/penstock/sample", file)), file);
            }
        }
    }

    @Test
    void theStaticPagesAreFound() throws IOException {
        assertTrue(staticPages().size() > 5);
    }

    private static String element(String name, String page) {
        int start = page.indexOf("<" + name + " ");
        int end = page.indexOf("</" + name + ">");
        assertTrue(start >= 0 && end > start, name);
        return page.substring(start, end);
    }
}
