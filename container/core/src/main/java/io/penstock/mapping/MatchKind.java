package io.penstock.mapping;

/** The rule of Servlet 6.1, 12.1 by which a target was found for a path; named as in {@code jakarta.servlet.http.MappingMatch}. */
public enum MatchKind {
    CONTEXT_ROOT,
    DEFAULT,
    EXACT,
    EXTENSION,
    PATH
}
