package io.penstock.limits;

import org.jspecify.annotations.Nullable;

/**
 * What an application's folders and missing files are answered with.
 *
 * @param directoryListing whether folders without a welcome file are listed
 * @param tryFile path of the page for navigations to paths that do not exist, such as {@code /index.html}; null for none
 */
public record FileRules(Switch directoryListing, @Nullable String tryFile) {

    /** As the Servlet specification has it: 404. */
    public static final FileRules DEFAULTS = new FileRules(Switch.OFF, null);
}
