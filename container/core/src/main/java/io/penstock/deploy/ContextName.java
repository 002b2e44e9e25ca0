package io.penstock.deploy;

import io.penstock.address.ContextLocation;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts the name of a file or folder to a context path: {@code shop.war} becomes {@code /shop}, {@code ROOT.war} becomes {@code /}. */
final class ContextName {
    static final String ARCHIVE = ".war";

    private static final String ROOT = "ROOT";

    /** A path segment that needs no escape sequences and has no special meaning. */
    private static final Pattern SEGMENT = Pattern.compile("[^/?#;%\\\\\\p{Cntrl}.][^/?#;%\\\\\\p{Cntrl}]*");

    private ContextName() {}

    /** Whether the name of a file is that of an archive. Upper and lower case are the same, as on the command line. */
    static boolean isArchive(Path file) {
        return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT).endsWith(ARCHIVE);
    }

    /**
     * The context path of a file, as {@link ContextLocation} writes it: {@code my app.war} becomes {@code /my%20app}. A {@code #} becomes a
     * slash: {@code a#b.war} becomes {@code /a/b}. Upper and lower case differ, except in the extension. Returns null for a name that cannot be a context path, for example the name of a hidden
     * file.
     */
    static @Nullable String of(Path file) {
        String name = String.valueOf(file.getFileName());
        String bare = isArchive(file) ? name.substring(0, name.length() - ARCHIVE.length()) : name;
        if (bare.equals(ROOT)) {
            return "/";
        }
        StringBuilder path = new StringBuilder();
        for (String segment : bare.split("#", -1)) {
            if (!SEGMENT.matcher(segment).matches()) {
                return null;
            }
            path.append('/').append(segment);
        }
        return ContextLocation.canonical(path.toString());
    }
}
