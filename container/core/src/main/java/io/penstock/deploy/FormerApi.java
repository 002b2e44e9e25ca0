package io.penstock.deploy;

import jakarta.servlet.ServletContainerInitializer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether an application was made for {@code javax.servlet}. This class examines the classes in the descriptor, the annotated
 * classes, and the classes in the service files of initialisers. The application was made for {@code javax.servlet} if at least one of them
 * extends or implements a type of {@code javax.servlet}. Class files are read, but no class is loaded.
 *
 * <p>A library can support {@code javax.servlet} and {@code jakarta.servlet}, or can contain unused classes for {@code javax.servlet}. If
 * the application declares a class for {@code jakarta.servlet}, the annotations and initialisers of libraries are ignored. Excluded
 * initialisers are always ignored.
 *
 * <p>Thread: one thread at a time.
 */
final class FormerApi {
    private static final Logger LOG = LoggerFactory.getLogger(FormerApi.class);
    private static final String FORMER = "javax.servlet.";
    private static final String PRESENT = "jakarta.servlet.";
    private static final String FORMER_INITIALIZERS = "javax.servlet.ServletContainerInitializer";
    private static final Set<String> FORMER_ANNOTATIONS = Set.of(
            "javax.servlet.annotation.WebServlet",
            "javax.servlet.annotation.WebFilter",
            "javax.servlet.annotation.WebListener");

    private final ApplicationFiles files;
    private final MergedDescriptor merged;
    private final ClassLoader classes;

    private FormerApi(ApplicationFiles files, MergedDescriptor merged, ClassLoader classes) {
        this.files = files;
        this.merged = merged;
        this.classes = classes;
    }

    /** A class name, and the file and line that name the class. */
    private record Named(String className, SourceLocation at) {}

    /** A sentence about the first class for {@code javax.servlet}, or null if there is no such class. */
    static @Nullable String use(ApplicationFiles files, MergedDescriptor merged)
            throws DeploymentException, IOException {
        URL[] classPath = files.classPath().toArray(URL[]::new);
        try (URLClassLoader classes = new URLClassLoader(classPath, null)) {
            return new FormerApi(files, merged, classes).use();
        }
    }

    private @Nullable String use() throws DeploymentException, IOException {
        List<Named> declared = declared();
        List<Named> own = new ArrayList<>(declared);
        List<Named> ofLibraries = new ArrayList<>();
        addAnnotated(own, ofLibraries);
        addInitializers(FORMER_INITIALIZERS, own, ofLibraries);
        String use = first(own);
        if (use != null || ofLibraries.isEmpty()) {
            return use;
        }
        addInitializers(ServletContainerInitializer.class.getName(), declared, declared);
        for (Named named : declared) {
            if (superType(named.className(), PRESENT, new HashSet<>()) != null) {
                return null;
            }
        }
        return first(ofLibraries);
    }

    private @Nullable String first(List<Named> all) throws IOException {
        for (Named named : all) {
            String type = superType(named.className(), FORMER, new HashSet<>());
            if (type != null) {
                return named.at() + ": " + named.className() + " is a " + type;
            }
        }
        return null;
    }

    /** The classes in the merged descriptor. They come from {@code web.xml}, fragments, and annotations of {@code jakarta.servlet}. */
    private List<Named> declared() {
        List<Named> all = new ArrayList<>();
        merged.xml().servlets().forEach(servlet -> add(servlet.className(), servlet.at(), all));
        merged.xml().filters().forEach(filter -> add(filter.className(), filter.at(), all));
        merged.xml().listeners().forEach(listener -> add(listener.className(), listener.at(), all));
        return all;
    }

    private static void add(@Nullable String className, SourceLocation at, List<Named> all) {
        if (className != null) {
            all.add(new Named(className, at));
        }
    }

    private void addAnnotated(List<Named> own, List<Named> ofLibraries) {
        merged.scans().forEach((entry, facts) -> {
            if (facts.declared().keySet().stream().anyMatch(FORMER_ANNOTATIONS::contains)) {
                boolean isOwn = entry.equals(files.classes());
                String name = isOwn ? ApplicationFiles.CLASSES : Fragment.path(entry);
                (isOwn ? own : ofLibraries).add(new Named(facts.name(), SourceLocation.file(name)));
            }
        });
    }

    private void addInitializers(String service, List<Named> own, List<Named> ofLibraries) throws DeploymentException {
        for (ServiceFile file : ServiceFile.of(service, files, merged.excluded(files))) {
            boolean isOwn = file.at().file().startsWith(ApplicationFiles.CLASSES);
            for (String name : file.classNames()) {
                if (!merged.exclusions().coversInitializer(name)) {
                    (isOwn ? own : ofLibraries).add(new Named(name, file.at()));
                }
            }
        }
    }

    /**
     * Searches the class and its super types for a name that starts with {@code beginning}. Returns the first such name, or null if there
     * is none. Only class files of the application are read.
     */
    private @Nullable String superType(String className, String beginning, Set<String> seen) throws IOException {
        if (className.startsWith(beginning)) {
            return className;
        }
        if (className.startsWith("java.") || !seen.add(className)) {
            return null;
        }
        ClassFacts facts = read(className);
        if (facts == null) {
            return null;
        }
        List<String> parents = new ArrayList<>(facts.interfaces());
        if (facts.superName() != null) {
            parents.add(0, facts.superName());
        }
        for (String parent : parents) {
            String found = superType(parent, beginning, seen);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable ClassFacts read(String className) throws IOException {
        try (InputStream in = classes.getResourceAsStream(className.replace('.', '/') + ".class")) {
            return in == null ? null : ClassFacts.read(in.readAllBytes());
        } catch (IllegalArgumentException e) {
            LOG.debug("{} cannot be read: {}", className, e.toString());
            return null;
        }
    }
}
