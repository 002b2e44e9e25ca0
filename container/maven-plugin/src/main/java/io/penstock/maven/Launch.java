package io.penstock.maven;

import io.penstock.Penstock;
import io.penstock.StartException;
import io.penstock.deploy.JarCaches;
import io.penstock.environment.EnvironmentException;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.ListenAddress;
import io.penstock.limits.Origin;
import io.penstock.limits.ServerConfig;
import io.penstock.naming.Naming;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The application to serve, and the settings of the server. {@link #toProperties} converts this object to properties for a separate JVM.
 *
 * @param contextPath the context path: {@code /} or {@code /name}
 * @param settings the values of configuration keys, by the name of the key
 * @param folders the folders with web files; only the WAR file if the application is packed
 * @param classes the folders with classes
 * @param libraries the libraries, by their names in {@code WEB-INF/lib}
 * @param compilation the sources that the server compiles
 */
record Launch(
        String contextPath,
        Kind kind,
        Map<String, String> settings,
        List<Path> folders,
        List<Path> classes,
        Map<String, Path> libraries,
        Compilation compilation) {

    /**
     * The sources that the server compiles.
     *
     * @param sources the folders of Java sources; empty if the server compiles nothing
     * @param options options of {@code javac}
     */
    record Compilation(List<Path> sources, List<Path> classPath, List<String> options) {
        static final Compilation NONE = new Compilation(List.of(), List.of(), List.of());
    }

    private static final String DATA_SOURCES = "data-sources";

    /** The form of the application: source folders or an archive. */
    enum Kind {
        SOURCES,
        ARCHIVE,
        /** An archive that can change. A new complete archive is deployed as a new version. */
        FOLLOWED_ARCHIVE
    }

    /** @param kind one of the kinds for archives */
    static Launch archive(Kind kind, String contextPath, Map<String, String> settings, Path war) {
        return new Launch(contextPath, kind, settings, List.of(war), List.of(), Map.of(), Compilation.NONE);
    }

    /** A running server and its resources. */
    record Started(
            Penstock server,
            Naming naming,
            String url,
            @Nullable WarFollower follower) implements AutoCloseable {
        @Override
        public void close() {
            if (follower != null) {
                follower.close();
            }
            server.close();
            naming.close();
        }
    }

    /**
     * Starts the server in this JVM.
     *
     * @throws LaunchException if the server cannot start; the message is one line
     */
    Started start() throws LaunchException {
        JarCaches.switchOff();
        WarFollower follower = kind == Kind.FOLLOWED_ARCHIVE ? WarFollower.of(contextPath, folders.get(0)) : null;
        Naming naming = naming();
        try {
            Penstock.Builder builder = Penstock.builder().stopOnExit(true).environments(declarations -> {
                Naming.installForThisJvm();
                return naming.open(declarations);
            });
            settings.forEach((key, value) -> builder.set(key, value, "pom.xml"));
            if (kind != Kind.SOURCES) {
                builder.war(contextPath, folders.get(0));
            } else {
                builder.develop(contextPath, folders.get(0), sources -> {
                    folders.subList(1, folders.size()).forEach(sources::files);
                    classes.forEach(sources::classes);
                    libraries.forEach(sources::library);
                    compilation.sources().forEach(sources::java);
                    compilation.classPath().forEach(sources::compilerClassPath);
                    sources.compilerOptions(compilation.options().toArray(String[]::new));
                });
            }
            Penstock server = builder.start();
            if (follower != null) {
                follower.start(server);
            }
            return new Started(server, naming, url(server), follower);
        } catch (StartException e) {
            naming.close();
            throw new LaunchException(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException | Error e) {
            naming.close();
            throw e;
        }
    }

    /** The URL of the application at the first listener with a network address. */
    private String url(Penstock server) {
        ConfigurationSources sources = new ConfigurationSources();
        settings.forEach((key, value) -> sources.flag(key, value, new Origin.Code()));
        List<ListenAddress> listeners =
                ServerConfig.of(sources.resolve()).listen().addresses();
        String path = contextPath.equals("/") ? "" : contextPath.substring(1) + "/";
        for (int i = 0; i < listeners.size(); i++) {
            if (server.addresses().get(i) instanceof InetSocketAddress address) {
                return listeners.get(i).url(address) + path;
            }
        }
        return contextPath;
    }

    private Naming naming() throws LaunchException {
        String file = settings.getOrDefault(DATA_SOURCES, "none");
        try {
            return file.equals("none") ? Naming.create() : Naming.withDataSources(Path.of(file));
        } catch (EnvironmentException e) {
            throw new LaunchException(DATA_SOURCES + ": " + e.getMessage(), e);
        }
    }

    Properties toProperties() {
        Properties all = new Properties();
        all.setProperty("context", contextPath);
        all.setProperty("kind", kind.name());
        settings.forEach((key, value) -> all.setProperty("setting." + key, value));
        put(all, "folder.", folders);
        put(all, "classes.", classes);
        put(all, "source.", compilation.sources());
        put(all, "compiler.path.", compilation.classPath());
        put(all, "compiler.option.", compilation.options());
        libraries.forEach((name, content) -> all.setProperty("library." + name, content.toString()));
        return all;
    }

    private static void put(Properties all, String prefix, List<?> values) {
        for (int i = 0; i < values.size(); i++) {
            all.setProperty(prefix + i, values.get(i).toString());
        }
    }

    static Launch of(Properties all) {
        Map<String, Path> libraries = new LinkedHashMap<>();
        with(all, "library.").forEach((name, content) -> libraries.put(name, Path.of(content)));
        return new Launch(
                all.getProperty("context", "/"),
                Kind.valueOf(all.getProperty("kind", Kind.SOURCES.name())),
                with(all, "setting."),
                paths(all, "folder."),
                paths(all, "classes."),
                libraries,
                new Compilation(paths(all, "source."), paths(all, "compiler.path."), values(all, "compiler.option.")));
    }

    private static Map<String, String> with(Properties all, String prefix) {
        Map<String, String> found = new LinkedHashMap<>();
        for (String name : all.stringPropertyNames()) {
            if (name.startsWith(prefix)) {
                found.put(name.substring(prefix.length()), all.getProperty(name));
            }
        }
        return found;
    }

    private static List<Path> paths(Properties all, String prefix) {
        return values(all, prefix).stream().map(Path::of).toList();
    }

    private static List<String> values(Properties all, String prefix) {
        List<String> found = new ArrayList<>();
        for (String value = all.getProperty(prefix + 0);
                value != null;
                value = all.getProperty(prefix + found.size())) {
            found.add(value);
        }
        return found;
    }
}
