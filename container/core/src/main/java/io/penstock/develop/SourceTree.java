package io.penstock.develop;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The places of the parts of an application in development. If several files have the same place in the application, the first file counts.
 * Files of {@code classes} come before files of {@code folders}.
 *
 * @param folders the folders of the application's files, with or without a {@code WEB-INF}; not empty. All folders but the first may be
 * missing at times
 * @param classes folders of classes and of resources
 * @param libraries libraries by their names in {@code WEB-INF/lib}: each is a jar, or a folder with the content of a jar
 */
public record SourceTree(List<Path> folders, List<Path> classes, Map<String, Path> libraries) {
    public SourceTree {
        if (folders.isEmpty()) {
            throw new IllegalArgumentException("an application in development needs a folder of files");
        }
        folders = List.copyOf(folders);
        classes = List.copyOf(classes);
        libraries = Map.copyOf(libraries);
    }

    /** The folder that names the application in messages. */
    Path named() {
        return folders.get(0);
    }
}
