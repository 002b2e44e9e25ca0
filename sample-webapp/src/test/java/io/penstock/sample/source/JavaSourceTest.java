package io.penstock.sample.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JavaSourceTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "int a;~<span class=\"keyword\">int</span> a;",
                "print;~print;",
                "// a \"b\"~<span class=\"comment\">// a &quot;b&quot;</span>",
                "\"// a\" b~<span class=\"string\">&quot;// a&quot;</span> b",
                "\"\\\"\" b~<span class=\"string\">&quot;\\&quot;&quot;</span> b",
                "@Override x~<span class=\"annotation\">@Override</span> x",
            })
    void tokensAreHighlighted(String source, String markup) {
        assertEquals(markup, JavaSource.highlight(source).markup());
    }

    static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    @ParameterizedTest
    @MethodSource("sources")
    void highlightingDoesNotChangeTheTextOfASource(Path file) throws IOException {
        String source = Files.readString(file);
        String text = JavaSource.highlight(source)
                .markup()
                .replaceAll("</?span[^>]*>", "")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&");
        assertEquals(source, text);
    }
}
