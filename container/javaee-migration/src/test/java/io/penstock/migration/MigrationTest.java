package io.penstock.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.StartException;
import io.penstock.limits.HelpPage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the server converts archives with servlets of {@code javax.servlet}, and serves the converted archives. */
class MigrationTest {
    private static final String SERVLET = OldServlet.class.getName().replace('.', '/') + ".class";

    @TempDir
    Path folder;

    private Path migrated;

    @BeforeEach
    void chooseFolderForMigratedArchives() {
        migrated = folder.resolve("migrated");
    }

    private static byte[] classFile() throws IOException {
        try (InputStream in = OldServlet.class.getResourceAsStream("/" + SERVLET)) {
            return in.readAllBytes();
        }
    }

    /** Returns an archive with one member. The member is compressed or stored. */
    private static byte[] archive(String name, byte[] content, int method) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            ZipEntry entry = new ZipEntry(name);
            entry.setMethod(method);
            if (method == ZipEntry.STORED) {
                CRC32 sum = new CRC32();
                sum.update(content);
                entry.setSize(content.length);
                entry.setCrc(sum.getValue());
            }
            zip.putNextEntry(entry);
            zip.write(content);
        }
        return bytes.toByteArray();
    }

    private Penstock.Builder server(Path war, String migrate) {
        return Penstock.builder()
                .port(0)
                .host("127.0.0.1")
                .temporary(folder)
                .set("migrate-javax", migrate)
                .set("migrated-dir", migrated.toString())
                .war(war);
    }

    private static String responseOf(Penstock server) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + server.port() + "/hello");
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    @Test
    void anArchiveWithAJavaxServletIsConvertedOnceAndServed() throws Exception {
        Path war = Files.write(
                folder.resolve("old.war"), archive("WEB-INF/classes/" + SERVLET, classFile(), ZipEntry.DEFLATED));
        for (int i = 0; i < 2; i++) {
            try (Penstock server = server(war, "on").start()) {
                assertEquals("200 hello from jakarta.servlet.http.HttpServlet", responseOf(server));
            }
        }
        try (Stream<Path> kept = Files.list(migrated)) {
            List<String> names = kept.map(file -> file.getFileName().toString()).toList();
            assertEquals(1, names.size(), names::toString);
            assertTrue(names.get(0).matches("[0-9a-f]{64}-migrated-[0-9.]+-[0-9]+\\.war"), names::toString);
        }
    }

    @Test
    void aJavaxServletInALibraryIsConvertedAndServed() throws Exception {
        byte[] library = archive(SERVLET, classFile(), ZipEntry.DEFLATED);
        Path war = Files.write(folder.resolve("old.war"), archive("WEB-INF/lib/old.jar", library, ZipEntry.STORED));
        try (Penstock server = server(war, "on").start()) {
            assertEquals("200 hello from jakarta.servlet.http.HttpServlet", responseOf(server));
        }
    }

    @Test
    void anArchiveWithAJavaxServletIsRefusedIfMigrateJavaxIsOff() throws Exception {
        Path war = Files.write(
                folder.resolve("old.war"), archive("WEB-INF/classes/" + SERVLET, classFile(), ZipEntry.DEFLATED));
        assertEquals(
                war + ": WEB-INF/classes: " + OldServlet.class.getName()
                        + " is a javax.servlet.http.HttpServlet, and this"
                        + " server has jakarta.servlet: start it with --migrate-javax, or convert the archive"
                        + HelpPage.JAVAX.more(),
                assertThrows(StartException.class, () -> server(war, "off").start())
                        .getMessage());
    }
}
