package io.penstock.files;

import io.penstock.context.MimeTypes;
import io.penstock.http.MediaType;
import jakarta.servlet.ServletContext;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The media types of an application's files, and the charset of those that are text. A charset that the application declares with the
 * type counts first, then the configured one. Without either, HTML declares its own charset, and other text is UTF-8.
 */
final class FileType {
    private final ServletContext context;
    private final MimeTypes types;
    private final @Nullable Charset configured;

    /**
     * @param types tell which of them are sent as they are
     * @param configured the charset of all text, or null
     */
    FileType(ServletContext context, MimeTypes types, @Nullable Charset configured) {
        this.context = context;
        this.types = types;
        this.configured = configured;
    }

    /**
     * The charset to decode the file with, if it has to be sent as text.
     *
     * @throws IllegalArgumentException if the application declares a charset that the platform does not have
     */
    Charset charset(String path) {
        MediaType type = MediaType.parse(context.getMimeType(path));
        String declared = type == null ? null : type.charset();
        if (declared != null) {
            return Charset.forName(declared);
        }
        return configured == null ? StandardCharsets.UTF_8 : configured;
    }

    /** The value of Content-Type for a file; null if its type is not known. */
    @Nullable
    String of(String path) {
        String type = context.getMimeType(path);
        if (type == null || !isText(type) || types.isExact(path) || configured == null && type.equals("text/html")) {
            return type;
        }
        return type + ";charset=" + charset(path).name();
    }

    /** XML declares its own charset. */
    private static boolean isText(String type) {
        boolean text = type.startsWith("text/") && !type.startsWith("text/xml");
        return (text || type.endsWith("/javascript")) && type.indexOf(';') < 0;
    }
}
