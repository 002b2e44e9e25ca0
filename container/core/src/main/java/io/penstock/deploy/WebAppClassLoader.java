package io.penstock.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The class loader of one web application (Servlet 10.7.2), or of the libraries that all applications share. The application's own classes
 * and resources have precedence over those of its parent, which are those of the server and of the shared libraries. There are two exceptions: packages of the JDK, and APIs that the server shares with all applications. If the application contains
 * classes of the Servlet API, these classes are never used.
 *
 * <p>Thread: any, several at the same time. Owns: the opened jars, until {@link #close}. A closed loader finds only classes that it has
 * already loaded.
 */
final class WebAppClassLoader extends URLClassLoader {
    private static final Logger LOG = LoggerFactory.getLogger(WebAppClassLoader.class);
    private static final Set<String> PLATFORM = platformPackages();

    static {
        registerAsParallelCapable();
    }

    private final String source;
    private final Path classes;

    /** The loader of the server's API, which is the parent, or the parent of {@link SharedLibraries}; null in tests with another parent. */
    private final @Nullable ApiLoader api;

    /** The manifest of the archive, for the packages of {@code WEB-INF/classes}; null if there is none. */
    private final @Nullable Manifest manifest;

    /**
     * @param source the path of the application, for messages. Lines of stack traces begin with its last name
     * @param classPath the jars and folders of classes in their order. The URL of a folder ends with a slash
     */
    WebAppClassLoader(Path source, List<URL> classPath, ClassLoader parent) {
        this(source, classPath, parent, Path.of("WEB-INF/classes"), null);
    }

    /** A loader for the classes and libraries of {@code files}. */
    WebAppClassLoader(Path source, ApplicationFiles files, ClassLoader parent) throws IOException {
        this(source, files.classPath(), parent, files.classes(), files.manifest());
    }

    private WebAppClassLoader(
            Path source, List<URL> classPath, ClassLoader parent, Path classes, @Nullable Manifest manifest) {
        super(ApplicationContent.loaderName(source), classPath.toArray(URL[]::new), parent);
        this.source = source.toString();
        this.classes = classes;
        this.api = parent instanceof ApiLoader ofServer
                ? ofServer
                : parent instanceof WebAppClassLoader shared ? shared.api : null;
        this.manifest = manifest;
        noteBundledApi();
    }

    /** The path of the application, as the operator has given it. */
    String source() {
        return source;
    }

    private void noteBundledApi() {
        URL bundled = findResource("jakarta/servlet/Servlet.class");
        if (bundled != null) {
            LOG.info("{}: contains the Servlet API, which is ignored: {}", source, bundled);
        }
    }

    /** Closes the jars. No effect if the JVM ends: the application's own shutdown hooks may still need classes ({@link JvmExit}). */
    @Override
    public void close() throws IOException {
        if (!JvmExit.hasBegun()) {
            super.close();
        }
    }

    /** Defines a class of the container as a class of the application. */
    Class<?> adopt(String name, byte[] classFile) {
        return defineClass(name, classFile, 0, classFile.length);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                loaded = find(name);
            }
            if (resolve) {
                resolveClass(loaded);
            }
            return loaded;
        }
    }

    private Class<?> find(String name) throws ClassNotFoundException {
        if (name.startsWith("java.") || ApiLoader.isServletApi(name)) {
            return getParent().loadClass(name);
        }
        if (parentFirst(name)) {
            try {
                return getParent().loadClass(name);
            } catch (ClassNotFoundException absent) {
                // The JDK and a library of the application can have the same package.
                return findClass(name);
            }
        }
        try {
            return findClass(name);
        } catch (ClassNotFoundException absent) {
            return getParent().loadClass(name);
        }
    }

    private boolean parentFirst(String className) {
        int end = className.lastIndexOf('.');
        return isShared(className) || (end > 0 && PLATFORM.contains(className.substring(0, end)));
    }

    private boolean isShared(String className) {
        return api != null ? api.isFirst(className) : ApiLoader.isApi(className);
    }

    @Override
    public @Nullable URL getResource(String name) {
        if (isParentsResource(name)) {
            return getParent().getResource(name);
        }
        String className = ApiLoader.className(name);
        URL first = className != null && isShared(className) ? getParent().getResource(name) : null;
        URL own = first != null ? first : findResource(name);
        return own != null ? own : getParent().getResource(name);
    }

    /**
     * Opens the resource without the JDK's cache of jars. Other code can use the same open jar of this cache. The close of this loader
     * would close the jar for the other code, too.
     */
    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        URL resource = getResource(name);
        if (resource == null) {
            return null;
        }
        try {
            URLConnection connection = resource.openConnection();
            connection.setUseCaches(false);
            return connection.getInputStream();
        } catch (IOException e) {
            LOG.debug("{}: {} cannot be opened: {}", source, resource, e.toString());
            return null;
        }
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        if (isParentsResource(name)) {
            return getParent().getResources(name);
        }
        List<URL> all = new ArrayList<>(Collections.list(findResources(name)));
        all.addAll(Collections.list(getParent().getResources(name)));
        return Collections.enumeration(all);
    }

    /**
     * Whether the resource is a class file of the Servlet API. The parent loader loads the classes of the Servlet API. So their class files
     * must come from the parent loader, too.
     */
    private static boolean isParentsResource(String name) {
        return name.endsWith(".class") && ApiLoader.isServletApi(name.replace('/', '.'));
    }

    /**
     * Called for a package without a manifest of its own. The packages of {@code WEB-INF/classes} get title, version and vendor from the
     * manifest of the archive, as those of a library get them from the manifest of the library.
     */
    @Override
    protected Package definePackage(
            String name,
            @Nullable String specTitle,
            @Nullable String specVersion,
            @Nullable String specVendor,
            @Nullable String implTitle,
            @Nullable String implVersion,
            @Nullable String implVendor,
            @Nullable URL sealBase) {
        if (manifest != null
                && specTitle == null
                && specVersion == null
                && specVendor == null
                && implTitle == null
                && implVersion == null
                && implVendor == null
                && sealBase == null
                && Files.isDirectory(classes.resolve(name.replace('.', '/')))) {
            return super.definePackage(
                    name,
                    described(manifest, name, Attributes.Name.SPECIFICATION_TITLE),
                    described(manifest, name, Attributes.Name.SPECIFICATION_VERSION),
                    described(manifest, name, Attributes.Name.SPECIFICATION_VENDOR),
                    described(manifest, name, Attributes.Name.IMPLEMENTATION_TITLE),
                    described(manifest, name, Attributes.Name.IMPLEMENTATION_VERSION),
                    described(manifest, name, Attributes.Name.IMPLEMENTATION_VENDOR),
                    null);
        }
        return super.definePackage(
                name, specTitle, specVersion, specVendor, implTitle, implVersion, implVendor, sealBase);
    }

    /** The value in the manifest's section of the package, or else in its main section. */
    private static @Nullable String described(Manifest manifest, String name, Attributes.Name key) {
        Attributes section = manifest.getAttributes(name.replace('.', '/') + "/");
        String value = section == null ? null : section.getValue(key);
        return value != null ? value : manifest.getMainAttributes().getValue(key);
    }

    private static Set<String> platformPackages() {
        ClassLoader platform = ClassLoader.getPlatformClassLoader();
        return ModuleLayer.boot().modules().stream()
                .filter(module -> module.getClassLoader() == null || module.getClassLoader() == platform)
                .flatMap(module -> module.getPackages().stream())
                .collect(Collectors.toUnmodifiableSet());
    }
}
