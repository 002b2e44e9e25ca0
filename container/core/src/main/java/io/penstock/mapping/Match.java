package io.penstock.mapping;

import org.jspecify.annotations.Nullable;

/**
 * The target of a path.
 *
 * @param target the mapped object
 * @param kind the rule that matched
 * @param matchValue the part of the path that the pattern's {@code *} matched. For an exact match, this is the path without its leading
 *     slash. It is empty for the default and the context root
 * @param pattern the pattern as it was declared
 * @param servletPath the part of the path that {@code HttpServletRequest.getServletPath} reports
 * @param pathInfo the part of the path that {@code HttpServletRequest.getPathInfo} reports; null if there is none
 */
public record Match<T>(
        T target,
        MatchKind kind,
        String matchValue,
        String pattern,
        String servletPath,
        @Nullable String pathInfo) {}
