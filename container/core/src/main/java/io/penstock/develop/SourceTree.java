package io.penstock.develop;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Where the parts of an application lie that is being developed. Of several files with the same place in the application the first wins:
 * those of {@code classes} before those of {@code folders}.
 *
 * @param folders of its files, with or without a {@code WEB-INF}; not empty. All but the first may be missing at times
 * @param classes folders of classes, and of resources among them
 * @param libraries by the names that they have in {@code WEB-INF/lib}: a jar, or a folder that stands for one
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

    /** Names the application for operators. */
    Path named() {
        return folders.get(0);
    }
}
