package io.penstock.develop;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Lists the files of a source tree that belong to a version: the files in {@code WEB-INF}, the classes and the libraries. Files that
 * clients can request are left out. JSP pages are left out, because the JSP engine follows changes of pages. Temporary files of editors and
 * desktops are left out, too.
 *
 * <p>The key of a file is its path in the version: {@code WEB-INF/classes/com/example/Shop.class}. For a file of a folder that is used as a
 * library, the key is {@code WEB-INF/lib/orders.jar!/com/example/Orders.class}. For a Java source that the server compiles, the key is
 * {@code sources/com/example/Shop.java}.
 */
final class WatchedFiles {
    static final String CLASSES = "WEB-INF/classes/";
    static final String LIBRARIES = "WEB-INF/lib/";

    private static final String SOURCES = "sources/";

    /** Separates the path of a library from the path of a file in the library. */
    static final String IN_LIBRARY = "!/";

    private static final String WEB_INF = "WEB-INF";
    private static final Set<String> PAGES = Set.of("jsp", "jspf", "jspx", "tag", "tagf", "tagx");

    /** The names of temporary files of Vim, Emacs, the JetBrains editors, Kate, GNOME, macOS and NFS. */
    private static final Pattern OF_EDITORS =
            Pattern.compile("\\..*\\.sw[a-z]|4913|.*~|#.*#|\\.#.*|.*___jb_(tmp|old)___|.*\\.kate-swp"
                    + "|\\.goutputstream-.*|\\.DS_Store|\\.nfs[0-9a-f]+");

    private final SortedMap<String, FileState> found = new TreeMap<>();

    private WatchedFiles() {}

    /** Lists the current files by their keys. A folder that does not exist is treated as an empty folder. */
    static SortedMap<String, FileState> of(SourceTree tree) throws IOException {
        WatchedFiles files = new WatchedFiles();
        for (Path folder : tree.classes()) {
            files.addFolder(folder, CLASSES);
        }
        for (Map.Entry<String, Path> library : tree.libraries().entrySet()) {
            files.addLibrary(LIBRARIES + library.getKey(), library.getValue());
        }
        for (Path folder : tree.folders()) {
            files.addFolder(folder.resolve(WEB_INF), WEB_INF + "/");
        }
        for (Path folder : tree.java().folders()) {
            files.addFolder(folder, SOURCES);
        }
        files.found.keySet().removeIf(path -> path.startsWith(SOURCES) && !isCompiled(path));
        return files.found;
    }

    /** Whether the server compiles this file. A module declaration has no effect in a web application. */
    private static boolean isCompiled(String path) {
        return path.endsWith(".java") && !path.endsWith("/module-info.java");
    }

    /** The Java sources among the files. The map is a view. */
    static SortedMap<String, FileState> sources(SortedMap<String, FileState> files) {
        // The end of the range is exclusive. The character '0' comes directly after '/'.
        return files.subMap(SOURCES, "sources0");
    }

    /** The name of the class that a source is named after, such as {@code com/example/Shop}. */
    static String className(String source) {
        return source.substring(SOURCES.length(), source.lastIndexOf('.'));
    }

    /** The name of the outermost class: {@code com/example/Shop} for {@code com/example/Shop$Item}. */
    static String outermost(String name) {
        int nested = name.indexOf('$', name.lastIndexOf('/') + 2);
        return nested < 0 ? name : name.substring(0, nested);
    }

    /** The path of a file relative to a folder, with slashes. */
    static String below(Path folder, Path file) {
        return folder.relativize(file).toString().replace('\\', '/');
    }

    private void addLibrary(String path, Path library) throws IOException {
        BasicFileAttributes attributes;
        try {
            attributes = Files.readAttributes(library, BasicFileAttributes.class);
        } catch (NoSuchFileException absent) {
            // The library does not exist at the moment, for example during a build.
            return;
        }
        if (attributes.isDirectory()) {
            addFolder(library, path + IN_LIBRARY);
        } else {
            found.putIfAbsent(path, FileState.of(library, attributes));
        }
    }

    private void addFolder(Path folder, String prefix) throws IOException {
        Files.walkFileTree(
                folder, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (attributes.isRegularFile() && isOfVersion(file)) {
                            found.putIfAbsent(prefix + below(folder, file), FileState.of(file, attributes));
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                        if (failure instanceof NoSuchFileException || failure instanceof FileSystemLoopException) {
                            // The file has been deleted during the listing, or it is a link to a parent folder.
                            return FileVisitResult.CONTINUE;
                        }
                        throw failure;
                    }
                });
    }

    private static boolean isOfVersion(Path file) {
        String name = String.valueOf(file.getFileName());
        boolean page = PAGES.contains(name.substring(name.lastIndexOf('.') + 1));
        return !page && !OF_EDITORS.matcher(name).matches();
    }
}
