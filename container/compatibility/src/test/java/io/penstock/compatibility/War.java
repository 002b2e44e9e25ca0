package io.penstock.compatibility;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Builds the archive of a web application from files, classes, and libraries on the class path of the tests. */
public final class War {
    private final Map<String, byte[]> members = new LinkedHashMap<>();

    public War with(String name, byte[] content) {
        members.put(name, content);
        return this;
    }

    public War with(String name, String content) {
        return with(name, content.getBytes(StandardCharsets.UTF_8));
    }

    public War descriptor(String content) {
        return with(
                "WEB-INF/web.xml",
                "<?xml version='1.0'?><web-app xmlns='https://jakarta.ee/xml/ns/jakartaee' version='6.1'>" + content
                        + "</web-app>");
    }

    /** Adds class files, including the files of nested classes. */
    public War classes(Class<?>... types) throws IOException {
        for (Class<?> type : types) {
            String name = type.getName().replace('.', '/') + ".class";
            try (InputStream in = Objects.requireNonNull(type.getResourceAsStream("/" + name), name)) {
                with("WEB-INF/classes/" + name, in.readAllBytes());
            }
            classes(type.getDeclaredClasses());
        }
        return this;
    }

    /**
     * Adds jars of the class path.
     *
     * @param prefixes the beginnings of the file names; at least one jar must match each prefix
     */
    public War libraries(String... prefixes) throws IOException {
        List<Path> classPath = classPath();
        for (String prefix : prefixes) {
            List<Path> found = classPath.stream()
                    .filter(jar -> String.valueOf(jar.getFileName()).startsWith(prefix))
                    .toList();
            if (found.isEmpty()) {
                throw new IllegalArgumentException("no " + prefix + "*.jar on the class path " + classPath);
            }
            for (Path jar : found) {
                with("WEB-INF/lib/" + jar.getFileName(), Files.readAllBytes(jar));
            }
        }
        return this;
    }

    public static List<Path> classPath() {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
        return Stream.of(all.split(File.pathSeparator)).map(Path::of).toList();
    }

    public Path write(Path file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> member : members.entrySet()) {
                zip.putNextEntry(new ZipEntry(member.getKey()));
                zip.write(member.getValue());
                zip.closeEntry();
            }
        }
        return Files.write(file, bytes.toByteArray());
    }
}
