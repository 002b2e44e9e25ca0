package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications in {@code penstock.jar} may look into the packages of the JDK that the scripts of Tomcat open. */
class OpenPackagesIT {
    @Test
    void oldLibrariesMayReflectOnTheJdkWithoutOptionsOfTheJvm(@TempDir Path folder) throws Exception {
        Path classes = Files.createDirectories(folder.resolve("WEB-INF/classes/io/penstock/standalone"));
        try (InputStream in = ReflectingServlet.class.getResourceAsStream("ReflectingServlet.class")) {
            Files.write(classes.resolve("ReflectingServlet.class"), in.readAllBytes());
        }
        try (JarProcess jar = JarProcess.run(Map.of(), "0", folder.toString())) {
            URI uri = URI.create("http://localhost:" + JarProcess.port(jar.startLine()) + "/reflecting");
            assertEquals(
                    "all open",
                    HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                            .body());
        }
    }

    @Test
    void theDocumentForProgramsNamesThePackagesThatTheManifestOpens() throws Exception {
        try (JarFile jar = new JarFile(JarProcess.usualJar().toFile())) {
            String opened =
                    "Add-Opens: " + jar.getManifest().getMainAttributes().getValue("Add-Opens");
            String document = Files.readString(Path.of("../../docs/guide/embedding.md"));
            assertTrue(document.contains('`' + opened + '`'), opened);
        }
    }
}
