package io.penstock.naming;

import io.penstock.environment.EnvironmentException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the classes of a data source. It searches the jars that the operator names, then the application, then the server's class path. It
 * finds no driver by {@code java.sql.DriverManager}, because that class keeps every driver until the JVM ends.
 *
 * <p>Thread: any. Owns: the opened jars.
 */
final class DriverLoader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DriverLoader.class);

    /** The most drivers of a class loader that are skipped. Without this limit, a folder that cannot be read would fail again and again. */
    private static final int MAX_SKIPPED = 100;

    private final List<ClassLoader> loaders;
    private final @Nullable Jars ofJars;

    /** The class loader of the jars that the operator names. */
    private static final class Jars extends URLClassLoader {
        Jars(URL[] jars) {
            super("drivers", jars, ClassLoader.getPlatformClassLoader());
        }

        void deregisterDrivers() throws IOException, ReflectiveOperationException {
            String name = RegisteredDrivers.class.getName();
            try (InputStream in =
                    RegisteredDrivers.class.getResourceAsStream(RegisteredDrivers.class.getSimpleName() + ".class")) {
                if (in == null) {
                    throw new IOException("no class file of " + name);
                }
                byte[] classFile = in.readAllBytes();
                Constructor<?> adopted =
                        defineClass(name, classFile, 0, classFile.length).getDeclaredConstructor();
                adopted.setAccessible(true);
                ((Runnable) adopted.newInstance()).run();
            }
        }
    }

    private DriverLoader(List<ClassLoader> loaders, @Nullable Jars ofJars) {
        this.loaders = loaders;
        this.ofJars = ofJars;
    }

    static DriverLoader of(List<Path> jars, ClassLoader application) throws EnvironmentException {
        List<ClassLoader> loaders = new ArrayList<>();
        Jars ofJars = null;
        if (!jars.isEmpty()) {
            ofJars = new Jars(urls(jars));
            loaders.add(ofJars);
        }
        loaders.add(application);
        ClassLoader own = DriverLoader.class.getClassLoader();
        loaders.add(own == null ? ClassLoader.getSystemClassLoader() : own);
        return new DriverLoader(loaders, ofJars);
    }

    private static URL[] urls(List<Path> jars) throws EnvironmentException {
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            if (!Files.isReadable(jar)) {
                throw new EnvironmentException("no such file: " + jar);
            }
            try {
                urls.add(jar.toUri().toURL());
            } catch (MalformedURLException e) {
                throw new EnvironmentException("not a file: " + jar, e);
            }
        }
        return urls.toArray(URL[]::new);
    }

    /**
     * The class with this name; null if no class loader finds it.
     *
     * @throws EnvironmentException if the class exists but cannot be loaded
     */
    @Nullable
    Class<?> find(String className) throws EnvironmentException {
        for (ClassLoader loader : loaders) {
            try {
                return Class.forName(className, true, loader);
            } catch (ClassNotFoundException e) {
                LOG.debug("{} is not in {}", className, loader);
            } catch (LinkageError e) {
                throw new EnvironmentException("class " + className + " cannot be loaded: " + e, e);
            }
        }
        return null;
    }

    /** A driver that accepts the URL; null if no driver accepts it. */
    @Nullable
    Driver driver(String url) {
        for (ClassLoader loader : loaders) {
            Driver driver = driver(url, ServiceLoader.load(Driver.class, loader).iterator());
            if (driver != null) {
                return driver;
            }
        }
        return null;
    }

    /** @param drivers also {@link Iterator#hasNext} can fail, for example because of a service file with an error */
    private static @Nullable Driver driver(String url, Iterator<Driver> drivers) {
        int skipped = 0;
        while (skipped < MAX_SKIPPED) {
            try {
                if (!drivers.hasNext()) {
                    return null;
                }
                Driver driver = drivers.next();
                if (driver.acceptsURL(url)) {
                    return driver;
                }
            } catch (ServiceConfigurationError | SQLException e) {
                skipped++;
                LOG.debug("A driver is skipped: {}", e.toString());
            }
        }
        return null;
    }

    @Override
    public void close() {
        if (ofJars != null) {
            try {
                ofJars.deregisterDrivers();
            } catch (IOException | ReflectiveOperationException | RuntimeException | LinkageError e) {
                LOG.warn("The driver of a data source stays registered: {}", e.toString());
            }
            try {
                ofJars.close();
            } catch (IOException e) {
                LOG.warn("The jars of a driver cannot be closed: {}", e.toString());
            }
        }
    }
}
