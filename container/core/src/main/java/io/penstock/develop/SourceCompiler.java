package io.penstock.develop;

import io.penstock.spool.OwnedFolder;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the sources of an application in development with the compiler of the JDK. All sources are compiled at once, because a change of
 * one class can break another class that has not changed.
 *
 * <p>Thread: one thread at a time. Owns: the folder of the compiled classes, until {@link #close}.
 */
final class SourceCompiler implements AutoCloseable {
    private static final String JAVA = ".java";

    private final SourceTree tree;
    private final @Nullable Path temporary;

    /** The files from which {@code classes} were compiled, by their hashes. */
    private SortedMap<String, String> compiledFrom = new TreeMap<>();

    private @Nullable OwnedFolder folder;
    private SourceChanges.Files classes = new SourceChanges.Files(new TreeMap<>(), new TreeMap<>());

    SourceCompiler(SourceTree tree, @Nullable Path temporary) {
        this.tree = tree;
        this.temporary = temporary;
    }

    /**
     * Returns the files of a version: the given files with the compiled classes instead of the sources.
     *
     * @param replaced the names of the classes that only the compiler may supply, as {@link SourceChanges#sourcesSeen} has them
     * @throws CompilationException if the compiler reports an error
     * @throws IOException if the files cannot be read or written
     */
    SourceChanges.Files compiled(SourceChanges.Files files, Set<String> replaced)
            throws CompilationException, IOException {
        SortedMap<String, FileState> sources = WatchedFiles.sources(files.states());
        if (sources.isEmpty()) {
            return files;
        }
        SortedMap<String, String> from = new TreeMap<>(files.hashes());
        from.keySet().removeIf(path -> !isForCompiler(path));
        if (folder == null || !from.equals(compiledFrom)) {
            compile(sources, replaced);
            compiledFrom = from;
        }
        SortedMap<String, FileState> states = new TreeMap<>(files.states());
        SortedMap<String, String> hashes = new TreeMap<>(files.hashes());
        states.keySet().removeAll(sources.keySet());
        hashes.keySet().removeAll(sources.keySet());
        states.putAll(classes.states());
        hashes.putAll(classes.hashes());
        return new SourceChanges.Files(states, hashes);
    }

    private static boolean isForCompiler(String path) {
        return path.endsWith(JAVA) || path.endsWith(".class") || path.endsWith(".jar");
    }

    private void compile(Map<String, FileState> sources, Set<String> replaced)
            throws CompilationException, IOException {
        OwnedFolder made = OwnedFolder.create(temporary, "compiled");
        SortedMap<String, FileState> found;
        SortedMap<String, String> hashes;
        try {
            compile(sources.values().stream().map(FileState::file).toList(), replaced, made.path());
            found = output(made.path());
            hashes = new ContentHashes(InstantSource.system()).of(found);
        } catch (CompilationException | IOException | RuntimeException | Error e) {
            made.close();
            throw e;
        }
        close();
        folder = made;
        classes = new SourceChanges.Files(found, hashes);
    }

    private void compile(List<Path> sources, Set<String> replaced, Path target)
            throws CompilationException, IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        if (javac == null) {
            throw new CompilationException("this Java has no compiler: sources need a JDK");
        }
        StringWriter output = new StringWriter();
        try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(target));
            files.setLocationFromPaths(StandardLocation.CLASS_PATH, classPath());
            files.setLocationFromPaths(
                    StandardLocation.SOURCE_PATH, existing(tree.java().folders()));
            List<String> options = new ArrayList<>(List.of("-g", "-implicit:none"));
            options.addAll(tree.java().options());
            boolean compiles = javac.getTask(
                            output,
                            new WithoutReplaced(files, replaced),
                            null,
                            options,
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
            if (!compiles) {
                throw new CompilationException(output.toString().strip());
            }
        } catch (RuntimeException e) {
            // An annotation processor has failed, or an option is invalid.
            throw new CompilationException((output + "\n" + e).strip());
        }
    }

    private List<Path> classPath() throws IOException {
        List<Path> all = new ArrayList<>(tree.classes());
        for (Path files : tree.folders()) {
            all.add(files.resolve("WEB-INF/classes"));
        }
        if (!tree.java().classPath().isEmpty()) {
            all.addAll(tree.java().classPath());
            return existing(all);
        }
        all.addAll(tree.libraries().values());
        for (Path files : tree.folders()) {
            Path libraries = files.resolve("WEB-INF/lib");
            if (Files.isDirectory(libraries)) {
                try (Stream<Path> jars = Files.list(libraries)) {
                    jars.filter(jar -> jar.toString().endsWith(".jar")).sorted().forEach(all::add);
                }
            }
        }
        for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator)) {
            all.add(Path.of(entry));
        }
        return existing(all);
    }

    private static List<Path> existing(List<Path> paths) {
        return paths.stream().filter(Files::exists).toList();
    }

    private static SortedMap<String, FileState> output(Path folder) throws IOException {
        SortedMap<String, FileState> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                if (attributes.isRegularFile() && !file.toString().endsWith(JAVA)) {
                    found.put(WatchedFiles.CLASSES + WatchedFiles.below(folder, file), FileState.of(file, attributes));
                }
            }
        }
        return found;
    }

    /**
     * Hides older classes of the sources from the compiler. Otherwise the compiler would find the class of a deleted source in a folder of
     * classes, and would report no error.
     */
    private static final class WithoutReplaced extends ForwardingJavaFileManager<JavaFileManager> {
        private final Set<String> replaced;

        WithoutReplaced(JavaFileManager files, Set<String> replaced) {
            super(files);
            this.replaced = replaced;
        }

        @Override
        public Iterable<JavaFileObject> list(
                Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse)
                throws IOException {
            Iterable<JavaFileObject> all = super.list(location, packageName, kinds, recurse);
            if (location != StandardLocation.CLASS_PATH) {
                return all;
            }
            List<JavaFileObject> shown = new ArrayList<>();
            for (JavaFileObject file : all) {
                String name = Objects.requireNonNullElse(inferBinaryName(location, file), "");
                if (!replaced.contains(WatchedFiles.outermost(name.replace('.', '/')))) {
                    shown.add(file);
                }
            }
            return shown;
        }
    }

    @Override
    public void close() throws IOException {
        OwnedFolder old = folder;
        if (old != null) {
            folder = null;
            old.close();
        }
    }
}
