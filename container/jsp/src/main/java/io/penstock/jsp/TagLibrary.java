package io.penstock.jsp;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import org.jspecify.annotations.Nullable;

/**
 * The location of a tag library descriptor.
 *
 * @param file the descriptor, or the jar that contains the descriptor
 * @param path the path of {@code file} within the application; null for a library of the container or of the operator
 * @param entry the name of the descriptor's entry in the jar; null if the file is the descriptor itself
 */
record TagLibrary(URI file, @Nullable String path, @Nullable String entry) {

    /** The location for messages. */
    String name() {
        String name = path == null ? file.toString() : path;
        return entry == null ? name : name + "!/" + entry;
    }

    InputStream open() throws IOException {
        URI descriptor = entry == null ? file : URI.create("jar:" + file + "!/" + entry);
        URLConnection connection = descriptor.toURL().openConnection();
        // With the cache of URL connections, the jar would stay open after the application has ended.
        connection.setUseCaches(false);
        return connection.getInputStream();
    }
}
