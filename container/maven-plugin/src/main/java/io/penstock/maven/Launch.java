package io.penstock.maven;

import io.penstock.Penstock;
import io.penstock.StartException;
import io.penstock.environment.EnvironmentException;
import io.penstock.naming.Naming;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * What is to be served, and how. It can be written as properties, for a JVM of its own.
 *
 * @param contextPath {@code /}, or {@code /name}
 * @param settings keys of the configuration reference
 * @param folders of files; a single WAR file if the application is packed
 * @param classes folders of classes
 * @param libraries by their names in {@code WEB-INF/lib}
 */
record Launch(
        String contextPath,
        Kind kind,
        Map<String, String> settings,
        List<Path> folders,
        List<Path> classes,
        Map<String, Path> libraries) {

    private static final String DATA_SOURCES = "data-sources";

    /** Whether the application changes while it is served. */
    enum Kind {
        SOURCES,
        ARCHIVE
    }

    static Launch archive(String contextPath, Map<String, String> settings, Path war) {
        return new Launch(contextPath, Kind.ARCHIVE, settings, List.of(war), List.of(), Map.of());
    }

    /** A server that runs, with what belongs to it. */
    record Started(Penstock server, Naming naming) implements AutoCloseable {
        @Override
        public void close() {
            server.close();
            naming.close();
        }
    }

    /**
     * Starts the server in this JVM.
     *
     * @throws LaunchException with one line that names the error
     */
    Started start() throws LaunchException {
        Naming naming = naming();
        try {
            Penstock.Builder builder = Penstock.builder().stopOnExit(true).environments(declarations -> {
                Naming.installForThisJvm();
                return naming.open(declarations);
            });
            settings.forEach((key, value) -> builder.set(key, value, "pom.xml"));
            if (kind == Kind.ARCHIVE) {
                builder.war(contextPath, folders.get(0));
            } else {
                builder.develop(contextPath, folders.get(0), sources -> {
                    folders.subList(1, folders.size()).forEach(sources::files);
                    classes.forEach(sources::classes);
                    libraries.forEach(sources::library);
                });
            }
            return new Started(builder.start(), naming);
        } catch (StartException e) {
            naming.close();
            throw new LaunchException(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException | Error e) {
            naming.close();
            throw e;
        }
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
        libraries.forEach((name, content) -> all.setProperty("library." + name, content.toString()));
        return all;
    }

    private static void put(Properties all, String prefix, List<Path> paths) {
        for (int i = 0; i < paths.size(); i++) {
            all.setProperty(prefix + i, paths.get(i).toString());
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
                libraries);
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
        List<Path> found = new ArrayList<>();
        for (String path = all.getProperty(prefix + 0); path != null; path = all.getProperty(prefix + found.size())) {
            found.add(Path.of(path));
        }
        return found;
    }
}
