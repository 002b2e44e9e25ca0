package io.penstock.context;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a web application: one or more folders, then {@code META-INF/resources} of jars. Paths are decoded and start with {@code /};
 * letter case matters. No resource is found if a segment of the path is empty, {@code .} or {@code ..}, or if a link leads out of the root.
 * The caller must hide {@code WEB-INF} from clients.
 *
 * <p>Thread: any thread that may wait for the disk. Owns: the opened jars, until {@link #close}.
 */
public final class Resources implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Resources.class);
    private static final Resources NONE = new Resources(null, 0, List.of());

    private final @Nullable Path root;
    private final int folders;
    private final List<ResourceRoot> roots;

    /** @param folders the number of folders among the roots; the folders come first */
    private Resources(@Nullable Path root, int folders, List<ResourceRoot> roots) {
        this.root = root;
        this.folders = folders;
        this.roots = List.copyOf(roots);
    }

    /** No files at all. */
    public static Resources none() {
        return NONE;
    }

    /** The files of the folder, and the resources of all jars in {@code WEB-INF/lib} of the folder. */
    public static Resources of(Path root) throws IOException {
        Path lib = root.resolve("WEB-INF").resolve("lib");
        if (!Files.isDirectory(lib)) {
            return of(root, List.of());
        }
        try (Stream<Path> files = Files.list(lib)) {
            return of(
                    root,
                    files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                            .sorted()
                            .toList());
        }
    }

    /** The files of the folder, and the resources of the given jars, in that order. */
    public static Resources of(Path root, List<Path> jars) throws IOException {
        return of(root, List.of(), jars);
    }

    /**
     * The files of the folder, the files of further folders, and the resources of the given jars, in that order.
     *
     * @param beside further folders; a folder that does not exist at the moment has no files
     */
    public static Resources of(Path root, List<Path> beside, List<Path> jars) throws IOException {
        List<ResourceRoot> roots = new ArrayList<>();
        int folders;
        try {
            roots.add(ResourceRoot.ofFolder(root));
            for (Path folder : beside) {
                addIfPresent(folder, roots);
            }
            folders = roots.size();
            for (Path jar : jars) {
                ResourceRoot inJar = ResourceRoot.ofJar(jar);
                if (inJar != null) {
                    roots.add(inJar);
                }
            }
        } catch (IOException e) {
            closeAll(roots, e);
            throw e;
        }
        return new Resources(root.toRealPath(), folders, roots);
    }

    private static void addIfPresent(Path folder, List<ResourceRoot> roots) throws IOException {
        try {
            roots.add(ResourceRoot.ofFolder(folder));
        } catch (NoSuchFileException e) {
            LOG.debug("{} does not exist at the moment: it has no files", folder, e);
        }
    }

    /**
     * The files of a program.
     *
     * @param root a folder or an archive; null for none
     * @param libraries jars, or folders of classes
     */
    public static Resources ofProgram(@Nullable Path root, List<Path> libraries) throws IOException {
        List<ResourceRoot> roots = new ArrayList<>();
        boolean folder = root != null && Files.isDirectory(root);
        try {
            if (root != null) {
                roots.add(folder ? ResourceRoot.ofFolder(root) : ResourceRoot.ofArchive(root));
            }
            for (Path library : libraries) {
                ResourceRoot inLibrary = ResourceRoot.ofLibrary(library);
                if (inLibrary != null) {
                    roots.add(inLibrary);
                }
            }
        } catch (IOException e) {
            closeAll(roots, e);
            throw e;
        }
        return new Resources(root != null && folder ? root.toRealPath() : null, folder ? 1 : 0, roots);
    }

    /** The folder of the application; null if the application has no folder. */
    public @Nullable Path root() {
        return root;
    }

    /** The resource at the path; null if there is no resource, or if the path ends with a slash and the resource is not a directory. */
    public @Nullable Resource find(String path) {
        if (!isPlain(path)) {
            return null;
        }
        for (ResourceRoot each : roots) {
            Resource found = each.find(path);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /**
     * The paths of the members of a directory. A member that is a directory has a slash at the end of its path. Null if the directory does
     * not exist or is empty.
     */
    public @Nullable Set<String> list(String path) {
        String directory = path.endsWith("/") ? path : path + "/";
        if (!isPlain(directory)) {
            return null;
        }
        Set<String> members = new TreeSet<>();
        for (ResourceRoot each : roots) {
            members.addAll(each.list(directory));
        }
        return members.isEmpty() ? null : new LinkedHashSet<>(members);
    }

    /**
     * The path of a file in the file system. The file need not exist. The result is null if the path leads out of the root, or if the
     * application has no folder. If there are several folders, the first folder with the file is used. If no folder has the file, the
     * result is in the second folder. (There are several folders only in development. The second folder has the web files in the project's
     * sources.)
     */
    public @Nullable Path realPath(String path) {
        if (folders == 0 || !isPlain(path)) {
            return null;
        }
        for (ResourceRoot each : roots.subList(0, folders > 1 ? folders : 0)) {
            Path located = each.locate(path);
            if (located != null && Files.exists(located)) {
                return located;
            }
        }
        return roots.get(Math.min(1, folders - 1)).locate(path);
    }

    /**
     * Whether the path is absolute and normalised. In a normalised path, no segment is empty, {@code .} or {@code ..}, and there is no
     * backslash and no NUL.
     */
    private static boolean isPlain(String path) {
        if (path.isEmpty() || path.charAt(0) != '/' || path.indexOf('\0') >= 0 || path.indexOf('\\') >= 0) {
            return false;
        }
        int start = 1;
        while (start < path.length()) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            int length = end - start;
            if (length == 0 || length <= 2 && path.charAt(start) == '.' && path.charAt(end - 1) == '.') {
                return false;
            }
            start = end + 1;
        }
        return true;
    }

    /** Whether the {@link Resource#file} is that of a resource of these roots. Does not wait for the disk. */
    public boolean has(Path file) {
        return roots.stream().anyMatch(each -> each.has(file));
    }

    @Override
    public void close() throws IOException {
        IOException first = null;
        for (ResourceRoot each : roots) {
            try {
                each.close();
            } catch (IOException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private static void closeAll(List<ResourceRoot> roots, IOException cause) {
        for (ResourceRoot each : roots) {
            try {
                each.close();
            } catch (IOException e) {
                cause.addSuppressed(e);
            }
        }
    }
}
