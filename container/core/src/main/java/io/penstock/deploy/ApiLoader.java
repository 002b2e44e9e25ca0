package io.penstock.deploy;

import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the classes of the server that web applications can use. These are the Java platform, the Jakarta API packages, providers of
 * services that the API packages define, and classes that optional parts of the container ({@link Parts}) export. All other classes of the
 * server are hidden from applications. So the server's libraries cannot conflict with libraries of an application. Thread: any.
 */
final class ApiLoader extends ClassLoader {
    private static final Logger LOG = LoggerFactory.getLogger(ApiLoader.class);

    /** API packages, including their subpackages. */
    private static final List<String> PACKAGES = List.of(
            "jakarta.servlet.",
            "jakarta.annotation.",
            "jakarta.el.",
            "jakarta.websocket.",
            "jakarta.security.auth.message.");

    private static final String SERVICES = "META-INF/services/";
    private static final String CLASS = ".class";

    /**
     * The service file of initialisers. It is hidden from applications, because the container itself runs the initialisers on its class
     * path.
     */
    private static final String INITIALIZERS = SERVICES + ServletContainerInitializer.class.getName();

    static {
        registerAsParallelCapable();
    }

    private final ClassLoader server;
    private final Parts parts;

    /** The class names in service files of the server. The names of a file are added when an application reads the file. */
    private final Set<String> providers = ConcurrentHashMap.newKeySet();

    private ApiLoader(ClassLoader server, Parts parts) {
        super("jakarta-api", ClassLoader.getPlatformClassLoader());
        this.server = server;
        this.parts = parts;
    }

    /** Makes a loader with the API that this container implements. */
    static ApiLoader ofContainer(Parts parts) {
        ClassLoader loader = ServletContext.class.getClassLoader();
        return new ApiLoader(loader == null ? ClassLoader.getSystemClassLoader() : loader, parts);
    }

    /** Whether the package or class belongs to the Servlet API itself. An application cannot replace such a class. */
    static boolean isServletApi(String className) {
        return className.startsWith("jakarta.servlet.") && !className.startsWith("jakarta.servlet.jsp.");
    }

    static boolean isApi(String className) {
        return PACKAGES.stream().anyMatch(className::startsWith);
    }

    /** Whether this loader loads the class even if the application has a class of the same name. */
    boolean isFirst(String className) {
        return isApi(className) || parts.isShared(className);
    }

    /** The class name of a class file, or null if the resource is not a class file. */
    static @Nullable String className(String resource) {
        return resource.endsWith(CLASS)
                ? resource.substring(0, resource.length() - CLASS.length()).replace('/', '.')
                : null;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        ClassLoader source = source(name);
        if (source == null) {
            throw new ClassNotFoundException(name);
        }
        return source.loadClass(name);
    }

    private @Nullable ClassLoader source(String className) {
        return isApi(className) || providers.contains(className) ? server : parts.loaderOf(className);
    }

    private @Nullable ClassLoader sourceOf(String resource) throws IOException {
        if (isService(resource)) {
            noteProviders(resource);
            return server;
        }
        String className = className(resource);
        return source(className == null ? resource.replace('/', '.') : className);
    }

    private static boolean isService(String resource) {
        return resource.startsWith(SERVICES)
                && isApi(resource.substring(SERVICES.length()))
                && !resource.equals(INITIALIZERS);
    }

    /** Records the class names in a service file. Code that reads the file then loads these classes through this loader. */
    private void noteProviders(String resource) throws IOException {
        for (URL file : Collections.list(server.getResources(resource))) {
            URLConnection connection = file.openConnection();
            connection.setUseCaches(false);
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
                lines.lines()
                        .map(line -> line.replaceFirst("#.*", "").strip())
                        .filter(name -> !name.isEmpty())
                        .forEach(providers::add);
            }
        }
    }

    @Override
    protected @Nullable URL findResource(String name) {
        try {
            ClassLoader source = sourceOf(name);
            return source == null ? null : source.getResource(name);
        } catch (IOException e) {
            LOG.warn("{} cannot be read: {}", name, e.toString());
            return null;
        }
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        ClassLoader source = sourceOf(name);
        return source == null ? Collections.emptyEnumeration() : source.getResources(name);
    }
}
