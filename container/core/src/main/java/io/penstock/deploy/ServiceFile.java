package io.penstock.deploy;

import io.penstock.limits.OperatorFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;

/**
 * A file of {@code META-INF/services} in an application. Its class names are read without loading the classes.
 *
 * @param at the path of the file inside the application
 * @param classNames the class names, in the order of the file
 */
record ServiceFile(SourceLocation at, List<String> classNames) {
    private static final String FOLDER = "META-INF/services/";

    /**
     * Finds the files for one service. The file of {@code WEB-INF/classes} comes before the files of the libraries.
     *
     * @param service the class name of the service
     * @param excluded the jars that are ignored
     */
    static List<ServiceFile> of(String service, ApplicationFiles files, Set<Path> excluded) throws DeploymentException {
        List<ServiceFile> found = new ArrayList<>();
        try {
            Path own = files.classes().resolve(FOLDER + service);
            if (Files.isRegularFile(own)) {
                try (InputStream in = Files.newInputStream(own)) {
                    found.add(read(ApplicationFiles.CLASSES + "/" + FOLDER + service, in));
                }
            }
        } catch (IOException e) {
            throw new DeploymentException("cannot be read: " + OperatorFile.explained(e), e);
        }
        List<Path> jars = new ArrayList<>(files.libraries());
        jars.removeAll(excluded);
        found.addAll(in(jars, service));
        return found;
    }

    /** Finds the files for one service in jars, in the order of the jars. */
    static List<ServiceFile> in(List<Path> jars, String service) throws DeploymentException {
        List<ServiceFile> found = new ArrayList<>();
        try {
            for (Path jar : jars) {
                addFrom(jar, FOLDER + service, found);
            }
        } catch (IOException e) {
            throw new DeploymentException("cannot be read: " + OperatorFile.explained(e), e);
        }
        return found;
    }

    private static void addFrom(Path jar, String name, List<ServiceFile> found)
            throws IOException, DeploymentException {
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            ZipEntry entry = file.getEntry(name);
            if (entry != null) {
                try (InputStream in = file.getInputStream(entry)) {
                    found.add(read(Fragment.path(jar) + "!/" + name, in));
                }
            }
        } catch (ZipException e) {
            throw new DeploymentException(
                    SourceLocation.file(Fragment.path(jar)), "not a readable jar: " + e.getMessage(), e);
        }
    }

    private static ServiceFile read(String path, InputStream in) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        try (Stream<String> lines = reader.lines()) {
            return new ServiceFile(
                    SourceLocation.file(path),
                    lines.map(line -> line.replaceFirst("#.*", "").strip())
                            .filter(name -> !name.isEmpty())
                            .toList());
        }
    }
}
