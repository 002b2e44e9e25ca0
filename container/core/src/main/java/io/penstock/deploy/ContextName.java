package io.penstock.deploy;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The context path that a file's or folder's name stands for: {@code shop.war} is {@code /shop}, {@code ROOT.war} is {@code /}. */
final class ContextName {
    static final String ARCHIVE = ".war";

    private static final String ROOT = "ROOT";

    /** One segment of a path, as it stands in a request without an escape or a second meaning. */
    private static final Pattern SEGMENT = Pattern.compile("[^/?#;%\\\\\\p{Cntrl}.][^/?#;%\\\\\\p{Cntrl}]*");

    private ContextName() {}

    /** Null for a name that stands for none, such as that of a hidden file. A {@code #} is a slash: {@code a#b.war} is {@code /a/b}. */
    static @Nullable String of(Path file) {
        String name = String.valueOf(file.getFileName());
        String bare = name.endsWith(ARCHIVE) ? name.substring(0, name.length() - ARCHIVE.length()) : name;
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
        return path.toString();
    }
}
