package io.penstock.files;

import io.penstock.context.MimeTypes;
import io.penstock.http.MediaType;
import jakarta.servlet.ServletContext;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Finds the media types of an application's files, and the charsets of its text files. If the application declares a charset together with
 * the media type, this charset is used. Otherwise the configured charset is used. If no charset is configured, HTML files declare their own
 * charset, and other text files are in UTF-8.
 */
final class FileType {
    private final ServletContext context;
    private final MimeTypes types;
    private final @Nullable Charset configured;

    /**
     * @param types reports for which files the media type is sent unchanged, without an added charset
     * @param configured the configured charset of all text files; null if no charset is configured
     */
    FileType(ServletContext context, MimeTypes types, @Nullable Charset configured) {
        this.context = context;
        this.types = types;
        this.configured = configured;
    }

    /**
     * Returns the charset of a file that must be decoded and sent as text.
     *
     * @throws IllegalArgumentException if the application declares a charset that the JVM does not support
     */
    Charset charset(String path) {
        MediaType type = MediaType.parse(context.getMimeType(path));
        String declared = type == null ? null : type.charset();
        if (declared != null) {
            return Charset.forName(declared);
        }
        return configured == null ? StandardCharsets.UTF_8 : configured;
    }

    /** Returns the Content-Type of a file; null if the type is not known. */
    @Nullable
    String of(String path) {
        String type = context.getMimeType(path);
        if (type == null || !isText(type) || types.isExact(path) || configured == null && type.equals("text/html")) {
            return type;
        }
        return type + ";charset=" + charset(path).name();
    }

    /** Whether a charset must be added to this media type. XML files declare their own charset. */
    private static boolean isText(String type) {
        boolean text = type.startsWith("text/") && !type.startsWith("text/xml");
        return (text || type.endsWith("/javascript")) && type.indexOf(';') < 0;
    }
}
