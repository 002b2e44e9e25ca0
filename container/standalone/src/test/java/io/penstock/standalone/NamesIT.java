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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests data sources and their JNDI names, and the option {@code --print-descriptor}. */
class NamesIT {

    @TempDir
    Path folder;

    private Path application;

    /** Creates an application that contains a database driver and a servlet. The servlet uses a data source. */
    @BeforeEach
    void unpack() throws Exception {
        application = folder.resolve("shop");
        String file = QueryServlet.class.getName().replace('.', '/') + ".class";
        Path target = application.resolve("WEB-INF/classes").resolve(file);
        Files.createDirectories(target.getParent());
        try (InputStream in = QueryServlet.class.getClassLoader().getResourceAsStream(file)) {
            Files.copy(in, target);
        }
        Path driver = Path.of(org.h2.Driver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Files.copy(
                driver,
                Files.createDirectories(application.resolve("WEB-INF/lib")).resolve("h2.jar"));
    }

    @Test
    void aServletGetsTheSameDataSourceByInjectionAndByJndiName() throws Exception {
        Path sources = Files.writeString(folder.resolve("sources"), "jdbc/orders.url = jdbc:h2:mem:orders\n");
        try (JarProcess jar =
                JarProcess.run("--port", "0", "--data-sources", sources.toString(), application.toString())) {
            URI address = URI.create("http://localhost:" + JarProcess.port(jar.startLine()) + "/query");
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
            assertEquals("42 by the same source", response.body(), jar.log());
            assertTrue(jar.log().contains(" classes of WEB-INF/classes and of 1 of 1 jars: "), jar.log());
        }
    }

    @Test
    void anErrorInTheDataSourcesFileIsReportedWithItsLineNumber() throws Exception {
        Path sources = Files.writeString(folder.resolve("sources"), "jdbc/orders.colour = red\n");
        try (JarProcess jar =
                JarProcess.run("--port", "0", "--data-sources", sources.toString(), application.toString())) {
            jar.ended().assertError(2, "data-sources: " + sources + ":1: unknown key 'colour'");
        }
    }

    @Test
    void thePrintedDescriptorContainsTheLibrariesAndTheClassFileOfTheServlet() throws Exception {
        Ran ran = Ran.with("--print-descriptor", application.toString());
        assertEquals(0, ran.exitCode(), ran.err());
        String file = QueryServlet.class.getName().replace('.', '/') + ".class";
        assertTrue(ran.out().contains("<servlet> <!-- WEB-INF/classes/" + file + " -->"), ran.out());
        assertTrue(ran.out().contains("<!-- libraries in their order: h2.jar -->"), ran.out());
    }
}
