package io.penstock.jsp;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import org.jspecify.annotations.Nullable;

/**
 * The place of a tag library descriptor.
 *
 * @param file the descriptor, or the jar that holds it
 * @param path of that file within the application; null for a library of the container
 * @param entry the descriptor's entry in the jar; null if the file is the descriptor itself
 */
record TagLibrary(URI file, @Nullable String path, @Nullable String entry) {

    /** For messages. */
    String name() {
        String name = path == null ? file.toString() : path;
        return entry == null ? name : name + "!/" + entry;
    }

    InputStream open() throws IOException {
        URI descriptor = entry == null ? file : URI.create("jar:" + file + "!/" + entry);
        URLConnection connection = descriptor.toURL().openConnection();
        connection.setUseCaches(false); // a cached jar would outlive its application
        return connection.getInputStream();
    }
}
