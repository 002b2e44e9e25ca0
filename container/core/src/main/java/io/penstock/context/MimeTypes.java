package io.penstock.context;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Media types by file extension: a table of common ones, under what the descriptor declares. Immutable. Thread: any. */
public final class MimeTypes {
    private static final Map<String, String> COMMON = Map.ofEntries(Map.entry("html", "text/html"));

    private final Map<String, String> declared;

    private MimeTypes(Map<String, String> declared) {
        this.declared = declared;
    }

    public static MimeTypes defaults() {
        return new MimeTypes(Map.of());
    }

    /** These and the given ones, by extension without its dot, which win. */
    public MimeTypes with(Map<String, String> byExtension) {
        Map<String, String> all = new HashMap<>(declared);
        byExtension.forEach((extension, type) -> all.put(extension.toLowerCase(Locale.ROOT), type));
        return new MimeTypes(Map.copyOf(all));
    }

    /** The media type of a file's name or path, or null. */
    public @Nullable String forFile(String name) {
        int dot = name.lastIndexOf('.');
        if (dot < 0 || name.indexOf('/', dot) >= 0) {
            return null;
        }
        String extension = name.substring(dot + 1).toLowerCase(Locale.ROOT);
        String type = declared.get(extension);
        return type != null ? type : COMMON.get(extension);
    }
}
