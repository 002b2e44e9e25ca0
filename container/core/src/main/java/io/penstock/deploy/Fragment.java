package io.penstock.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A jar of {@code WEB-INF/lib} with its {@code web-fragment.xml} (Servlet 8.2.1).
 *
 * @param jar the jar
 * @param xml the {@code web-fragment.xml} of the jar; empty if the jar has none
 */
record Fragment(Path jar, WebXml xml) {
    private static final String DESCRIPTOR = "META-INF/web-fragment.xml";

    static Fragment read(Path jar) throws DeploymentException, IOException {
        String path = path(jar);
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            JarEntry entry = file.getJarEntry(DESCRIPTOR);
            if (entry == null) {
                return new Fragment(jar, WebXml.empty(SourceLocation.file(path)));
            }
            try (InputStream in = file.getInputStream(entry)) {
                return new Fragment(jar, WebXmlParser.fragment(path + "!/" + DESCRIPTOR, in));
            }
        } catch (ZipException e) {
            throw new DeploymentException(SourceLocation.file(path), "not a readable jar: " + e.getMessage(), e);
        }
    }

    /** The path of the jar inside the application, for messages. A jar of the operator has its whole path. */
    static String path(Path jar) {
        Path inside = Path.of("WEB-INF", "lib", String.valueOf(jar.getFileName()));
        return jar.endsWith(inside) ? "WEB-INF/lib/" + jar.getFileName() : jar.toString();
    }

    @Nullable
    String name() {
        return xml.about().name();
    }
}
