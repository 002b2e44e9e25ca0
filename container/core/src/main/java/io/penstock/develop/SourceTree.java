package io.penstock.develop;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The folders and jars of an application in development. If several files have the same path in the application, the first file is used.
 * Files of {@code classes} come before files of {@code folders}.
 *
 * @param folders the folders of the application's files, with or without a {@code WEB-INF}. The list is not empty. The first folder must
 *     exist, and all others can be missing at times
 * @param classes the folders of classes and resources
 * @param libraries the libraries by their file names in {@code WEB-INF/lib}. Each library is a jar, or a folder with the content of a jar
 * @param java the sources that the server compiles
 */
public record SourceTree(List<Path> folders, List<Path> classes, Map<String, Path> libraries, JavaSources java) {
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
