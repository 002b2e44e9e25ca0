package io.penstock.mapping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The longest matching context path wins (Servlet 6.1 section 12.1). */
final class ContextPathTest {
    private final ContextMappings<String> contexts =
            ContextMappings.<String>empty().with("/a", "a").with("", "root").with("/a/b", "ab");

    @Test
    void theLongestContextPathWins() {
        assertEquals("ab", contexts.match("/a/b/c"));
        assertEquals("a", contexts.match("/a/c"));
    }

    @Test
    void aContextPathEndsAtASegmentBoundary() {
        assertEquals("a", contexts.match("/a/bc"));
        assertEquals("root", contexts.match("/ab"));
    }

    @Test
    void aContextPathMatchesItself() {
        assertEquals("a", contexts.match("/a"));
        assertEquals("root", contexts.match("/"));
    }

    @Test
    void aPathOutsideAllContextsMatchesNoContext() {
        assertNull(contexts.without("").match("/x"));
    }

    @Test
    void aSecondContextWithTheSamePathReplacesTheFirstContext() {
        assertEquals("new", contexts.with("/a", "new").match("/a/x"));
        assertEquals("a", contexts.match("/a/x"));
    }

    @Test
    void targetsOfContextPathsAreSortedWithTheLongestPathFirst() {
        assertEquals(List.of("ab", "a", "root"), contexts.targets());
    }

    @Test
    void aContextPathStartsWithASlashAndDoesNotEndWithASlash() {
        assertThrows(IllegalArgumentException.class, () -> contexts.with("/", "x"));
        assertThrows(IllegalArgumentException.class, () -> contexts.with("x", "x"));
        assertThrows(IllegalArgumentException.class, () -> contexts.with("/x/", "x"));
    }
}
