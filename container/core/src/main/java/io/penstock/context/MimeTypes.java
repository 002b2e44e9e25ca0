package io.penstock.context;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Media types by file extension: first the types that the descriptor declares, then a table of common types. Immutable. Thread: any. */
public final class MimeTypes {
    /** The common types. Each line has a media type and its extensions. */
    private static final Map<String, String> COMMON = parse("""
        text/html html htm
        application/xhtml+xml xhtml
        text/css css
        text/javascript js mjs
        application/json json map
        application/manifest+json webmanifest
        text/plain txt text log
        text/markdown md
        text/csv csv
        text/calendar ics
        text/xml xml xsd xsl
        application/xslt+xml xslt
        application/rss+xml rss
        application/atom+xml atom
        application/yaml yaml yml
        image/png png
        image/jpeg jpg jpeg
        image/gif gif
        image/svg+xml svg
        image/webp webp
        image/avif avif
        image/bmp bmp
        image/tiff tif tiff
        image/x-icon ico
        font/woff woff
        font/woff2 woff2
        font/ttf ttf
        font/otf otf
        application/vnd.ms-fontobject eot
        audio/mpeg mp3
        audio/ogg ogg oga
        audio/wav wav
        audio/flac flac
        audio/mp4 m4a
        audio/midi mid midi
        video/mp4 mp4
        video/webm webm
        video/ogg ogv
        video/quicktime mov
        video/mpeg mpeg mpg
        video/x-msvideo avi
        application/pdf pdf
        application/rtf rtf
        application/zip zip
        application/gzip gz tgz
        application/x-tar tar
        application/x-bzip2 bz2
        application/x-7z-compressed 7z
        application/java-archive jar war ear
        application/java-vm class
        application/octet-stream bin exe iso dmg
        application/wasm wasm
        application/epub+zip epub
        application/msword doc
        application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
        application/vnd.ms-excel xls
        application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
        application/vnd.ms-powerpoint ppt
        application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
        application/vnd.oasis.opendocument.text odt
        application/vnd.oasis.opendocument.spreadsheet ods
        application/postscript ps eps
        """);

    private final Map<String, String> declared;

    /** Extensions whose media types are sent unchanged. */
    private final Set<String> exact;

    private MimeTypes(Map<String, String> declared, Set<String> exact) {
        this.declared = declared;
        this.exact = exact;
    }

    private static Map<String, String> parse(String table) {
        Map<String, String> byExtension = new HashMap<>();
        table.lines().forEach(line -> {
            List<String> words = List.of(line.split(" ", -1));
            words.subList(1, words.size()).forEach(extension -> byExtension.put(extension, words.get(0)));
        });
        return Map.copyOf(byExtension);
    }

    public static MimeTypes defaults() {
        return new MimeTypes(Map.of(), Set.of());
    }

    /** Adds the given types, by extension without its dot. The given types replace existing types of the same extensions. */
    public MimeTypes with(Map<String, String> byExtension) {
        Map<String, String> all = new HashMap<>(declared);
        byExtension.forEach((extension, type) -> all.put(extension.toLowerCase(Locale.ROOT), type));
        return new MimeTypes(Map.copyOf(all), exact);
    }

    /** Adds types as {@link #with} does. These types are sent unchanged: no charset is added for text files. */
    public MimeTypes withExact(Map<String, String> byExtension) {
        MimeTypes added = with(byExtension);
        Set<String> all = new HashSet<>(exact);
        byExtension.keySet().forEach(extension -> all.add(extension.toLowerCase(Locale.ROOT)));
        return new MimeTypes(added.declared, Set.copyOf(all));
    }

    /** Whether the media type of a file is sent unchanged. */
    public boolean isExact(String name) {
        String extension = extension(name);
        return extension != null && exact.contains(extension);
    }

    /** The media type for the name or path of a file; null if the extension is unknown. */
    public @Nullable String forFile(String name) {
        String extension = extension(name);
        if (extension == null) {
            return null;
        }
        String type = declared.get(extension);
        return type != null ? type : COMMON.get(extension);
    }

    /** The extension in lower case; null if the name has none. */
    private static @Nullable String extension(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 || name.indexOf('/', dot) >= 0
                ? null
                : name.substring(dot + 1).toLowerCase(Locale.ROOT);
    }
}
