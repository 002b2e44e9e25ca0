package io.penstock.mapping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of Servlet 6.1 sections 12.1 and 12.2. Each test checks one rule. */
final class ServletMappingRulesTest {

    private static ServletMappings<String> mapped(String... patterns) {
        ServletMappings.Builder<String> table = ServletMappings.builder();
        for (String pattern : patterns) {
            table.add(pattern, "target of " + pattern);
        }
        return table.build();
    }

    private static Match<String> match(ServletMappings<String> table, String path) {
        Match<String> match = table.match(path);
        assertNotNull(match, path);
        return match;
    }

    @Test
    void anExactMatchComesBeforeEveryOtherMatch() {
        Match<String> match = match(mapped("/a/*", "/*", "*.do", "/", "/a/b.do"), "/a/b.do");
        assertEquals(new Match<>("target of /a/b.do", MatchKind.EXACT, "/a/b.do", "/a/b.do", null), match);
        assertEquals("a/b.do", match.matchValue());
    }

    @Test
    void theLongestPathPrefixComesBeforeAnExtension() {
        Match<String> match = match(mapped("/*", "*.do", "/a/b/*", "/a/*"), "/a/b/c.do");
        assertEquals(new Match<>("target of /a/b/*", MatchKind.PATH, "/a/b/*", "/a/b", "/c.do"), match);
        assertEquals("c.do", match.matchValue());
    }

    @Test
    void aPathPrefixEndsAtASegmentBoundary() {
        assertEquals("/", match(mapped("/a/*", "/"), "/ab").pattern());
    }

    @Test
    void thePathInfoIsNullIfThePathEqualsThePrefix() {
        Match<String> match = match(mapped("/a/*"), "/a");
        assertEquals(new Match<>("target of /a/*", MatchKind.PATH, "/a/*", "/a", null), match);
        assertEquals("", match.matchValue());
    }

    @Test
    void thePathInfoIsASlashIfOnlyASlashFollowsThePrefix() {
        Match<String> match = match(mapped("/a/*"), "/a/");
        assertEquals(new Match<>("target of /a/*", MatchKind.PATH, "/a/*", "/a", "/"), match);
        assertEquals("", match.matchValue());
    }

    @Test
    void thePatternSlashStarMatchesEveryPathAndTheServletPathIsEmpty() {
        Match<String> match = match(mapped("/*", "/"), "/x/y");
        assertEquals(new Match<>("target of /*", MatchKind.PATH, "/*", "", "/x/y"), match);
        assertEquals("x/y", match.matchValue());
    }

    @Test
    void anExtensionComesBeforeTheDefaultServlet() {
        Match<String> match = match(mapped("/", "*.do"), "/x/y.do");
        assertEquals(new Match<>("target of *.do", MatchKind.EXTENSION, "*.do", "/x/y.do", null), match);
        assertEquals("x/y", match.matchValue());
    }

    @Test
    void onlyTheLastSegmentHasAnExtension() {
        assertEquals("/", match(mapped("/", "*.do"), "/x.do/y").pattern());
    }

    @Test
    void extensionsAreCaseSensitive() {
        assertEquals("/", match(mapped("/", "*.do"), "/x.DO").pattern());
    }

    @Test
    void theDefaultServletMatchesPathsThatMatchNoOtherPattern() {
        Match<String> match = match(mapped("/", "*.do", "/a/*"), "/x/y");
        assertEquals(new Match<>("target of /", MatchKind.DEFAULT, "/", "/x/y", null), match);
        assertEquals("", match.matchValue());
    }

    @Test
    void theEmptyPatternMatchesTheContextRootOnly() {
        ServletMappings<String> table = mapped("", "/", "/*");
        Match<String> root = match(table, "/");
        assertEquals(new Match<>("target of ", MatchKind.CONTEXT_ROOT, "", "", "/"), root);
        assertEquals("", root.matchValue());
        assertSame(root, match(table, ""));
        assertEquals("/*", match(table, "/x").pattern());
    }

    @Test
    void noMatchIsFoundIfNoPatternMatchesAndNoDefaultServletExists() {
        assertNull(mapped("/a", "/b/*", "*.c").match("/d"));
    }

    @Test
    void aStarInTheMiddleIsLiteral() {
        ServletMappings<String> table = mapped("/a/*/c");
        assertNull(table.match("/a/b/c"));
        assertEquals(MatchKind.EXACT, match(table, "/a/*/c").kind());
    }

    @Test
    void anExactMatchReturnsTheSameObjectEachTime() {
        ServletMappings<String> table = mapped("/a");
        assertSame(table.match("/a"), table.match("/a"));
    }

    @Test
    void aSecondMappingOfAPatternIsRefused() {
        ServletMappings.Builder<String> table =
                ServletMappings.<String>builder().add("/a", "first");
        assertThrows(IllegalArgumentException.class, () -> table.add("/a", "second"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/*", "*", "*a", "*.", "*.a/b", "*.a*", "/a\n", "/a\r"})
    void anInvalidPatternIsRefused(String pattern) {
        assertThrows(IllegalArgumentException.class, () -> UrlPattern.parse(pattern));
    }

    @ParameterizedTest
    @CsvSource({
        "/*, /, true",
        "/*, /a/b, true",
        "/a/*, /a, true",
        "/a/*, /a/b, true",
        "/a/*, /ab, false",
        "/a, /a, true",
        "/a, /a/, false",
        "*.x, /a.x, true",
        "*.x, /a.x/b, false",
        "/, /, true",
        "/, /a, false",
        "'', /, true",
        "'', /a, false",
    })
    void aPatternCoversOnlyMatchingPaths(String pattern, String path, boolean covered) {
        assertEquals(covered, UrlPattern.parse(pattern).covers(path));
    }
}
