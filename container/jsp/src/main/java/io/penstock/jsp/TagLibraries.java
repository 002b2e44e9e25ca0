package io.penstock.jsp;

import jakarta.servlet.ServletContext;
import jakarta.servlet.descriptor.JspConfigDescriptor;
import jakarta.servlet.descriptor.TaglibDescriptor;
import java.io.File;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.taglibs.standard.tag.common.core.CatchTag;

/**
 * Finds tag library descriptors (Pages JSP.7.3): in the application, in the jars of its {@code WEB-INF/lib}, and in the jars that the
 * operator adds. Of a jar, only the list of entries is read.
 *
 * <p>Thread: one.
 */
final class TagLibraries {
    private static final String WEB_INF = "/WEB-INF/";
    private static final String CLASSES = "/WEB-INF/classes/";
    private static final String LIBRARIES = "/WEB-INF/lib/";
    private static final String TAG_FILES = "/WEB-INF/tags/";
    private static final String META_INF = "META-INF/";
    private static final String EXTENSION = ".tld";

    private final ServletContext context;
    private final Set<TagLibrary> found = new LinkedHashSet<>();

    private TagLibraries(ServletContext context) {
        this.context = context;
    }

    /** The libraries of an application: libraries that {@code web.xml} names, libraries below {@code WEB-INF}, and libraries in jars. */
    static List<TagLibrary> of(ServletContext context) throws IOException {
        TagLibraries libraries = new TagLibraries(context);
        libraries.addNamed();
        libraries.addBelow(WEB_INF);
        libraries.addFromJars();
        libraries.addFromOtherJars();
        return List.copyOf(libraries.found);
    }

    /** Only the libraries in the application's jars, in the order of the jars. */
    static List<TagLibrary> inJarsOf(ServletContext context) throws IOException {
        TagLibraries libraries = new TagLibraries(context);
        libraries.addFromJars();
        libraries.addFromOtherJars();
        return List.copyOf(libraries.found);
    }

    /** The libraries of JSTL, which is delivered with the engine. */
    static List<TagLibrary> ofContainer() throws IOException {
        URL handler = CatchTag.class.getResource(CatchTag.class.getSimpleName() + ".class");
        if (handler == null || !(handler.openConnection() instanceof JarURLConnection connection)) {
            return List.of();
        }
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            return descriptors(jar).stream()
                    .map(entry -> new TagLibrary(uri(connection.getJarFileURL()), null, entry))
                    .toList();
        }
    }

    private void addNamed() throws IOException {
        JspConfigDescriptor config = context.getJspConfigDescriptor();
        if (config == null) {
            return;
        }
        for (TaglibDescriptor taglib : config.getTaglibs()) {
            String location = taglib.getTaglibLocation();
            if (location.endsWith(EXTENSION)) {
                add(location.startsWith("/") ? location : WEB_INF + location);
            }
        }
    }

    private void add(String path) throws IOException {
        URL file = context.getResource(path);
        if (file != null) {
            found.add(new TagLibrary(uri(file), path, null));
        }
    }

    private void addBelow(String folder) throws IOException {
        for (String path : paths(folder)) {
            if (path.equals(CLASSES) || path.equals(LIBRARIES)) {
                continue;
            }
            if (path.endsWith("/")) {
                addBelow(path);
            } else if (path.startsWith(TAG_FILES) ? path.endsWith("/implicit.tld") : path.endsWith(EXTENSION)) {
                add(path);
            }
        }
    }

    private void addFromJars() throws IOException {
        for (String path : jars()) {
            URL file = context.getResource(path);
            String realPath = context.getRealPath(path);
            if (file == null || realPath == null) {
                continue;
            }
            try (ZipFile jar = new ZipFile(realPath)) {
                descriptors(jar).forEach(entry -> found.add(new TagLibrary(uri(file), path, entry)));
            }
        }
    }

    /** Adds the libraries in the jars of the operator: those of the application, and those that all applications share. */
    private void addFromOtherJars() throws IOException {
        Set<URI> own = new HashSet<>();
        for (String path : paths(LIBRARIES)) {
            String realPath = context.getRealPath(path);
            if (realPath != null) {
                own.add(Path.of(realPath).toRealPath().toUri());
            }
        }
        ClassLoader loader = context.getClassLoader();
        while (loader instanceof URLClassLoader jars) {
            for (URL url : jars.getURLs()) {
                boolean isJar =
                        url.getProtocol().equals("file") && url.getPath().endsWith(".jar");
                if (!isJar) {
                    continue;
                }
                File file = Path.of(uri(url)).toFile();
                // A class path may name files that do not exist.
                if (file.isFile() && !own.contains(file.toPath().toRealPath().toUri())) {
                    try (ZipFile jar = new ZipFile(file)) {
                        descriptors(jar).forEach(entry -> found.add(new TagLibrary(uri(url), null, entry)));
                    }
                }
            }
            loader = jars.getParent();
        }
    }

    /** The jars in their declared order. If no order is declared, all jars in the order of their names. */
    private List<String> jars() {
        Collection<String> present = paths(LIBRARIES);
        if (context.getAttribute(ServletContext.ORDERED_LIBS) instanceof List<?> ordered) {
            return ordered.stream()
                    .map(name -> LIBRARIES + name)
                    .filter(present::contains)
                    .toList();
        }
        List<String> jars = new ArrayList<>(present);
        jars.removeIf(path -> !path.endsWith(".jar"));
        jars.sort(null);
        return jars;
    }

    private Collection<String> paths(String folder) {
        Set<String> paths = context.getResourcePaths(folder);
        return paths == null ? Set.of() : paths;
    }

    private static List<String> descriptors(ZipFile jar) {
        return jar.stream()
                .map(ZipEntry::getName)
                .filter(name -> name.startsWith(META_INF) && name.endsWith(EXTENSION))
                .sorted()
                .toList();
    }

    private static URI uri(URL file) {
        try {
            return file.toURI();
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("no URI: " + file, e);
        }
    }
}
