package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.limits.HelpPage;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests an archive that uses {@code javax.servlet}. The server rejects the archive by default. With {@code --migrate-javax}, the server
 * converts the archive and serves it.
 */
class MigrateJavaxIT {

    @TempDir
    Path folder;

    private Path war;

    @BeforeEach
    void pack() throws Exception {
        war = folder.resolve("old.war");
        String file = OldServlet.class.getName().replace('.', '/') + ".class";
        try (InputStream in = OldServlet.class.getClassLoader().getResourceAsStream(file);
                ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            zip.putNextEntry(new ZipEntry("WEB-INF/classes/" + file));
            in.transferTo(zip);
        }
    }

    @Test
    void anArchiveWithJavaxServletIsRejectedWithAOneLineMessage() throws Exception {
        try (JarProcess jar = JarProcess.run("--port", "0", war.toString())) {
            jar.ended()
                    .assertError(
                            1,
                            war + ": WEB-INF/classes: " + OldServlet.class.getName()
                                    + " is a javax.servlet.http.HttpServlet, and this server has jakarta.servlet:"
                                    + " start it with --migrate-javax, or convert the archive" + HelpPage.JAVAX.more());
        }
    }

    @Test
    void anArchiveWithJavaxServletIsConvertedAndServed() throws Exception {
        String migrated = folder.resolve("migrated").toString();
        try (JarProcess jar =
                JarProcess.run("--migrate-javax", "--migrated-dir", migrated, "--port", "0", war.toString())) {
            URI address = URI.create("http://localhost:" + JarProcess.port(jar.startLine()) + "/hello");
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
            assertEquals("hello from jakarta.servlet.http.HttpServlet", response.body(), jar.log());
        }
    }
}
