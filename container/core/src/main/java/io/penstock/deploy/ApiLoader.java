package io.penstock.deploy;

import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What web applications see of the server: the Java platform, and of the server's own class path the Jakarta API packages only.
 * So a library that an application brings never meets the server's copy of it. Thread: any.
 */
final class ApiLoader extends ClassLoader {
    /** API packages, with the packages below them. */
    private static final List<String> PACKAGES = List.of(
            "jakarta.servlet.",
            "jakarta.annotation.",
            "jakarta.el.",
            "jakarta.websocket.",
            "jakarta.security.auth.message.");

    static {
        registerAsParallelCapable();
    }

    private final ClassLoader server;

    private ApiLoader(ClassLoader server) {
        super("jakarta-api", ClassLoader.getPlatformClassLoader());
        this.server = server;
    }

    /** Shows the API that this container itself implements. */
    static ApiLoader ofContainer() {
        ClassLoader loader = ServletContext.class.getClassLoader();
        return new ApiLoader(loader == null ? ClassLoader.getSystemClassLoader() : loader);
    }

    /** Whether the package or class belongs to the Servlet API proper, which an application may not replace. */
    static boolean isServletApi(String className) {
        return className.startsWith("jakarta.servlet.") && !className.startsWith("jakarta.servlet.jsp.");
    }

    static boolean isApi(String className) {
        return PACKAGES.stream().anyMatch(className::startsWith);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (!isApi(name)) {
            throw new ClassNotFoundException(name);
        }
        return server.loadClass(name);
    }

    @Override
    protected @Nullable URL findResource(String name) {
        return isApi(name.replace('/', '.')) ? server.getResource(name) : null;
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        return isApi(name.replace('/', '.')) ? server.getResources(name) : Collections.emptyEnumeration();
    }
}
