package io.penstock;

import io.penstock.develop.JavaSources;
import io.penstock.develop.SourceTree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The folders and jars of a web application in development. {@link Penstock.Builder#develop} passes this object to its lambda. If several
 * files have the same path in the application, the first file is used. The folder that is passed to {@link Penstock.Builder#develop} must
 * exist. All other folders and jars can be missing at times, for example during a build.
 *
 * <p>Thread: the thread that builds the server.
 */
public final class Sources {
    private final List<Path> folders = new ArrayList<>();
    private final List<Path> classes = new ArrayList<>();
    private final Map<String, Path> libraries = new LinkedHashMap<>();
    private final List<Path> java = new ArrayList<>();
    private final List<Path> compilerClassPath = new ArrayList<>();
    private final List<String> compilerOptions = new ArrayList<>();

    Sources(Path files) {
        folders.add(files);
    }

    /**
     * Adds a further folder of files, for example the files of a second application (an overlay). If the folder is missing when a version
     * of the application starts, this version has no files of the folder.
     */
    public Sources files(Path folder) {
        folders.add(folder);
        return this;
    }

    /** Adds a folder of classes and resources, which are found like those in {@code WEB-INF/classes}. */
    public Sources classes(Path folder) {
        classes.add(folder);
        return this;
    }

    /** Adds a jar, which is found like a jar in {@code WEB-INF/lib}. */
    public Sources library(Path jar) {
        return library(String.valueOf(jar.getFileName()), jar);
    }

    /**
     * Adds a library under a name.
     *
     * @param name the file name of the library in {@code WEB-INF/lib}, such as {@code orders.jar}
     * @param content the jar, or a folder with the files of the jar, such as {@code target/classes} of another module
     */
    public Sources library(String name, Path content) {
        if (libraries.putIfAbsent(name, content) != null) {
            throw new IllegalArgumentException("two libraries have the name " + name);
        }
        return this;
    }

    /**
     * Adds a folder of Java sources, such as {@code src/main/java}. The server compiles them when they change, and shows the errors of the
     * compiler in the browser and in the log. The compiled classes replace classes of the same names in the folders of {@link #classes} and
     * in {@code WEB-INF/classes}. The compiler finds these folders, the libraries, and the class path of this JVM. The JVM must be a JDK.
     */
    public Sources java(Path folder) {
        java.add(folder);
        return this;
    }

    /**
     * Adds a jar or a folder of classes to the class path of the compiler. The compiler then uses this class path instead of the libraries
     * and the class path of this JVM.
     */
    public Sources compilerClassPath(Path jar) {
        compilerClassPath.add(jar);
        return this;
    }

    /** Adds options of {@code javac}, such as {@code --release 17}, one string for each word. */
    public Sources compilerOptions(String... words) {
        compilerOptions.addAll(List.of(words));
        return this;
    }

    SourceTree tree() {
        return new SourceTree(folders, classes, libraries, new JavaSources(java, compilerClassPath, compilerOptions));
    }
}
