package io.penstock.limits;

import org.jspecify.annotations.Nullable;

/**
 * How an application answers requests for folders and for missing files.
 *
 * @param directoryListing whether folders without a welcome file are listed
 * @param tryFile the path of a page, such as {@code /index.html}. A browser gets this page when it navigates to a path that does not exist.
 *     Null for no page
 */
public record FileRules(Switch directoryListing, @Nullable String tryFile) {

    /** The behaviour that the Servlet specification requires: 404. */
    public static final FileRules DEFAULTS = new FileRules(Switch.OFF, null);
}
