package io.penstock.context;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the canonical form of the resource paths that an application passes to its context (Servlet 6.1, section 3.5.2). Resource paths are not
 * encoded.
 */
final class ResourcePath {
    private ResourcePath() {}

    /** The path without {@code .}, {@code ..} and empty segments; null if the path is not absolute or leads above the root. */
    static @Nullable String canonical(@Nullable String path) {
        if (path == null || !path.startsWith("/")) {
            return null;
        }
        List<String> segments = new ArrayList<>();
        String[] parts = path.split("/", -1);
        for (String part : parts) {
            if (part.equals("..")) {
                if (segments.isEmpty()) {
                    return null;
                }
                segments.remove(segments.size() - 1);
            } else if (!part.isEmpty() && !part.equals(".")) {
                segments.add(part);
            }
        }
        String last = parts[parts.length - 1];
        boolean directory = last.isEmpty() || last.equals(".") || last.equals("..");
        String joined = "/" + String.join("/", segments);
        return directory && !segments.isEmpty() ? joined + "/" : joined;
    }
}
