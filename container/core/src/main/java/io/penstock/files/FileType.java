package io.penstock.files;

import io.penstock.context.MimeTypes;
import io.penstock.http.MediaType;
import jakarta.servlet.ServletContext;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The media types of an application's files, and the charsets of its text files. First counts the charset that the application declares
 * with the type, then the configured charset. Without either, HTML files declare their own charset, and other text is UTF-8.
 */
final class FileType {
    private final ServletContext context;
    private final MimeTypes types;
    private final @Nullable Charset configured;

    /**
     * @param types decide which of the application's media types are sent unchanged
     * @param configured the charset of all text files, or null
     */
    FileType(ServletContext context, MimeTypes types, @Nullable Charset configured) {
        this.context = context;
        this.types = types;
        this.configured = configured;
    }

    /**
     * The charset for decoding a file that must be sent as text.
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

    /** The Content-Type of a file; null if its type is not known. */
    @Nullable
    String of(String path) {
        String type = context.getMimeType(path);
        if (type == null || !isText(type) || types.isExact(path) || configured == null && type.equals("text/html")) {
            return type;
        }
        return type + ";charset=" + charset(path).name();
    }

    /** Whether a charset must be added to this type of text. XML declares its own charset. */
    private static boolean isText(String type) {
        boolean text = type.startsWith("text/") && !type.startsWith("text/xml");
        return (text || type.endsWith("/javascript")) && type.indexOf(';') < 0;
    }
}
