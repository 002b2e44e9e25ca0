package io.penstock.deploy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The content of an archive or folder for tests: a list of files, each with a name and its bytes. */
public final class Packing {
    private final Map<String, byte[]> members = new LinkedHashMap<>();

    public static Packing empty() {
        return new Packing();
    }

    public Packing with(String name, byte[] content) {
        members.put(name, content);
        return this;
    }

    public Packing with(String name, String content) {
        return with(name, content.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Adds the class files of {@code types}.
     *
     * @param folder the folder for the class files: an empty string, or a path that ends with a slash
     */
    public Packing withClasses(String folder, Class<?>... types) {
        for (Class<?> type : types) {
            with(folder + type.getName().replace('.', '/') + ".class", classFile(type));
        }
        return this;
    }

    public byte[] archive() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> member : members.entrySet()) {
                zip.putNextEntry(new ZipEntry(member.getKey()));
                zip.write(member.getValue());
                zip.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    public Path archive(Path file) throws IOException {
        return Files.write(file, archive());
    }

    public Path folder(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Map.Entry<String, byte[]> member : members.entrySet()) {
            Path file = folder.resolve(member.getKey());
            Files.createDirectories(file.getParent());
            Files.write(file, member.getValue());
        }
        return folder;
    }

    public static byte[] classFile(Class<?> type) {
        String name = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getResourceAsStream(name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
