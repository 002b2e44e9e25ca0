package io.penstock.deploy;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The libraries that all applications of a server share. Their class loader is the parent of the class loaders of the applications. It
 * treats the server's classes as those loaders do: the libraries see the API, and nothing else of the server.
 *
 * <p>Thread: any. Owns: the opened jars, until {@link #close}, after all applications have stopped.
 *
 * @param jars the jars, sorted by name
 */
record SharedLibraries(List<Path> jars, WebAppClassLoader loader) {

    /** @param folder a folder with jars. Its other files are resources, for example {@code shop.properties} */
    static SharedLibraries of(Path folder, ClassLoader parent) throws IOException {
        Path real = folder.toRealPath();
        List<Path> jars = ApplicationFiles.jarsIn(real);
        List<URL> classPath = new ArrayList<>();
        classPath.add(real.toUri().toURL());
        for (Path jar : jars) {
            classPath.add(jar.toUri().toURL());
        }
        return new SharedLibraries(jars, new WebAppClassLoader(folder, classPath, parent));
    }

    void close() {
        WebApplication.closeAll(loader.source(), List.of(new PlatformThreads(loader), new JdbcDrivers(loader), loader));
    }
}
