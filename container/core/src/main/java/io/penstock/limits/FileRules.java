package io.penstock.limits;

import org.jspecify.annotations.Nullable;

/**
 * How an application answers requests for folders and for missing files.
 *
 * @param directoryListing whether folders without a welcome file are listed
 * @param tryFile path of the page for navigations to paths that do not exist, such as {@code /index.html}; null for none
 */
public record FileRules(Switch directoryListing, @Nullable String tryFile) {

    /** The behaviour that the Servlet specification requires: 404. */
    public static final FileRules DEFAULTS = new FileRules(Switch.OFF, null);
}
