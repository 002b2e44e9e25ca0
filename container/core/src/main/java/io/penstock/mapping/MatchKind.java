package io.penstock.mapping;

/** The rule by which a path was matched (Servlet 6.1, section 12.1). The constants have the names of {@code jakarta.servlet.http.MappingMatch}. */
public enum MatchKind {
    CONTEXT_ROOT,
    DEFAULT,
    EXACT,
    EXTENSION,
    PATH
}
