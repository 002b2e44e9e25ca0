package io.penstock.develop;

import java.nio.file.Path;
import java.util.List;

/**
 * The Java sources of an application in development. The server compiles them, and their classes replace those of the same names in the
 * folders of classes.
 *
 * @param folders the folders of the sources; empty if the server compiles nothing
 * @param classPath the class path of the compiler, beside the folders of classes. If it is empty, the compiler uses the libraries of the
 *     application and the class path of this JVM, which has the APIs of the server
 * @param options options of {@code javac}
 */
public record JavaSources(List<Path> folders, List<Path> classPath, List<String> options) {
    public static final JavaSources NONE = new JavaSources(List.of(), List.of(), List.of());

    public JavaSources {
        folders = List.copyOf(folders);
        classPath = List.copyOf(classPath);
        options = List.copyOf(options);
    }
}
