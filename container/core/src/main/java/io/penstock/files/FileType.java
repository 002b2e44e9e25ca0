package io.penstock.files;

import jakarta.servlet.ServletContext;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The media types of an application's files, and the charset of those that are text: UTF-8, whatever servlets write in. */
final class FileType {
    private final ServletContext context;
    private final Charset charset = StandardCharsets.UTF_8;

    FileType(ServletContext context) {
        this.context = context;
    }

    Charset charset() {
        return charset;
    }

    /** The value of Content-Type for a file; null if its type is not known. */
    @Nullable
    String of(String path) {
        String type = context.getMimeType(path);
        return type != null && isText(type) ? type + ";charset=" + charset.name() : type;
    }

    /** XML says in itself what it is written in. */
    private static boolean isText(String type) {
        boolean text = type.startsWith("text/") && !type.startsWith("text/xml");
        return (text || type.endsWith("/javascript")) && type.indexOf(';') < 0;
    }
}
