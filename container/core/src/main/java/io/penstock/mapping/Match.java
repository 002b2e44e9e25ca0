package io.penstock.mapping;

import org.jspecify.annotations.Nullable;

/**
 * The target of a path.
 *
 * @param target the mapped object
 * @param kind the rule that matched
 * @param pattern the pattern as it was declared
 * @param servletPath the part of the path that {@code HttpServletRequest.getServletPath} reports
 * @param pathInfo the part of the path that {@code HttpServletRequest.getPathInfo} reports; null if there is none
 */
public record Match<T>(
        T target,
        MatchKind kind,
        String pattern,
        String servletPath,
        @Nullable String pathInfo) {

    /**
     * The part of the path that the pattern's {@code *} matched. For an exact match, this is the path without its leading slash. It is
     * empty for the default and the context root. The text is made by each call, because a request holds the match as long as it lives, and
     * few applications ask for this part.
     */
    public String matchValue() {
        return switch (kind) {
            case EXACT -> servletPath.substring(1);
            case EXTENSION -> servletPath.substring(1, servletPath.length() - (pattern.length() - 1)); // "*.do"
            case PATH -> pathInfo == null ? "" : pathInfo.substring(1);
            case CONTEXT_ROOT, DEFAULT -> "";
        };
    }
}
