package io.penstock.deploy;

import io.penstock.limits.ApplicationKey;
import io.penstock.limits.ApplicationSettings.Given;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of a web application, with its descriptor, classes and libraries (Servlet 10.5).
 *
 * @param root the folder of the exploded application
 * @param libraries the jars of {@code WEB-INF/lib}, sorted by name, and then those that the operator adds
 */
record ApplicationFiles(Path root, List<Path> libraries) {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationFiles.class);
    private static final String DESCRIPTOR = "WEB-INF/web.xml";
    static final String CLASSES = "WEB-INF/classes";

    static ApplicationFiles of(Path root) throws IOException {
        Path folder = root.resolve("WEB-INF/lib");
        return new ApplicationFiles(root, Files.isDirectory(folder) ? jarsIn(folder) : List.of());
    }

    /**
     * Adds the jars of a folder of the operator.
     *
     * @throws DeploymentException if there is no such folder
     */
    ApplicationFiles with(Given<Path> added) throws DeploymentException, IOException {
        if (!Files.isDirectory(added.value())) {
            throw new DeploymentException(ApplicationKey.LIBRARIES.id() + ": no such folder: " + added.value()
                    + " (from " + added.origin() + ")");
        }
        List<Path> all = new ArrayList<>(libraries);
        all.addAll(jarsIn(added.value().toRealPath()));
        return new ApplicationFiles(root, List.copyOf(all));
    }

    /** The jars of a folder, sorted by name. */
    static List<Path> jarsIn(Path folder) throws IOException {
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jar")) {
            files.forEach(jars::add);
        }
        jars.sort(null);
        return List.copyOf(jars);
    }

    /** Whether the folder is a web application. A folder without a {@code WEB-INF} is a plain folder of files. */
    boolean isWebApplication() {
        return Files.isDirectory(root.resolve("WEB-INF"));
    }

    WebXml descriptor() throws DeploymentException, IOException {
        Path file = root.resolve(DESCRIPTOR);
        if (!Files.exists(file)) {
            return WebXml.empty(SourceLocation.file(DESCRIPTOR));
        }
        try (InputStream in = Files.newInputStream(file)) {
            return WebXmlParser.application(DESCRIPTOR, in);
        }
    }

    /** The manifest of the archive; null if there is none, or if it cannot be read. */
    @Nullable
    Manifest manifest() {
        Path file = root.resolve(JarFile.MANIFEST_NAME);
        if (!Files.isRegularFile(file)) {
            return null;
        }
        try (InputStream in = Files.newInputStream(file)) {
            return new Manifest(in);
        } catch (IOException e) {
            // The manifest only describes the application. So the application starts without it.
            LOG.warn("{} cannot be read: {}", file, e.toString());
            return null;
        }
    }

    List<String> libraryNames() {
        return libraries.stream().map(jar -> String.valueOf(jar.getFileName())).toList();
    }

    Path classes() {
        return root.resolve(CLASSES);
    }

    /** The URL of a jar. The code source of the classes of the jar has the same URL. */
    static String location(Path jar) {
        try {
            // The conversion to a URI escapes special characters. The URLs of the class path are escaped in the same
            // way.
            return jar.toUri().toURL().toString();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("not a file: " + jar, e);
        }
    }

    List<URL> classPath() throws IOException {
        List<URL> urls = new ArrayList<>();
        if (Files.isDirectory(classes())) {
            urls.add(classes().toUri().toURL());
        }
        for (Path jar : libraries) {
            urls.add(jar.toUri().toURL());
        }
        return urls;
    }
}
