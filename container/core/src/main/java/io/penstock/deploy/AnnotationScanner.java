package io.penstock.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the class files of a folder or of a jar, without loading a class (Servlet 8.1). Class files that cannot be read are logged and
 * skipped. The reason is that libraries can contain classes for newer Java versions.
 */
final class AnnotationScanner {
    private static final Logger LOG = LoggerFactory.getLogger(AnnotationScanner.class);

    private final List<ClassFacts> classes = new ArrayList<>();
    private final WebXmlDraft draft;

    private AnnotationScanner(String source) {
        draft = new WebXmlDraft(SourceLocation.file(source));
    }

    /**
     * The result of the scan of one folder or jar.
     *
     * @param declarations the declarations in the annotations of the classes
     * @param classes all classes of the folder or jar
     */
    record Scan(WebXml declarations, List<ClassFacts> classes) {}

    /** Scans a folder of classes. If the folder does not exist, the result is empty. Messages call the folder {@code name}. */
    static Scan folder(Path folder, String name) throws DeploymentException, IOException {
        AnnotationScanner scanner = new AnnotationScanner(name);
        if (Files.isDirectory(folder)) {
            List<Path> files;
            try (Stream<Path> walk = Files.walk(folder)) {
                files = walk.filter(file -> isClassFile(file.toString()))
                        .sorted()
                        .toList();
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
            for (Path file : files) {
                scanner.visit(name + "/" + slashes(folder.relativize(file)), Files.readAllBytes(file));
            }
        }
        return scanner.result();
    }

    private static String slashes(Path relative) {
        return relative.toString().replace('\\', '/');
    }

    /** Scans a jar. Messages call the jar {@code name}. */
    static Scan jar(Path jar, String name) throws DeploymentException, IOException {
        AnnotationScanner scanner = new AnnotationScanner(name);
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            for (Enumeration<JarEntry> entries = file.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                if (isClassFile(entry.getName()) && !entry.getName().startsWith("META-INF/")) {
                    try (InputStream in = file.getInputStream(entry)) {
                        scanner.visit(name + "!/" + entry.getName(), in.readAllBytes());
                    }
                }
            }
        } catch (ZipException e) {
            throw new DeploymentException(SourceLocation.file(name), "not a readable jar: " + e.getMessage(), e);
        }
        return scanner.result();
    }

    private static boolean isClassFile(String name) {
        return name.endsWith(".class") && !name.endsWith("module-info.class") && !name.endsWith("package-info.class");
    }

    private void visit(String file, byte[] bytes) throws DeploymentException {
        ClassFacts facts;
        try {
            facts = ClassFacts.read(bytes);
        } catch (IllegalArgumentException e) {
            LOG.warn("{}: not scanned for annotations: {}", file, e.getMessage());
            return;
        }
        classes.add(facts);
        if (AnnotatedClass.concerns(facts)) {
            new AnnotatedClass(facts, SourceLocation.file(file)).declareIn(draft);
        }
    }

    private Scan result() {
        return new Scan(draft.toWebXml(), List.copyOf(classes));
    }
}
