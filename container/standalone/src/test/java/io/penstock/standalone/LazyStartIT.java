package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the server loads no unnecessary classes before its first response. The test checks the list of loaded classes, and measures
 * no time.
 */
class LazyStartIT {
    private static final String SAMPLE =
            System.getProperty("sample.webapp", "../../sample-webapp/target/sample-webapp.war");

    /** Classes that the server must not load before the first response. The comments name the features that need the classes. */
    private static final List<String> UNNECESSARY = List.of(
            "io.penstock.acme.AcmeIssuer", // certificates from an ACME authority
            "org.shredzone.acme4j.Session",
            "java.security.SecureRandom", // random names of folders, session IDs, keys for logins
            "java.time.zone.TzdbZoneRulesProvider"); // times in log lines

    private static final List<String> UNNECESSARY_FOR_FILES = List.of(
            "javax.naming.spi.NamingManager", // JNDI of applications
            "io.penstock.jsp.JspPart", // JSP pages
            "javax.xml.stream.XMLInputFactory");

    @TempDir
    Path folder;

    private List<String> loaded(String content, String path) throws Exception {
        Path log = folder.resolve("classes.log");
        Map<String, String> environment = Map.of("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + log);
        try (JarProcess jar = JarProcess.run(environment, "0", content)) {
            assertEquals(200, get(JarProcess.port(jar.startLine()), path));
        }
        Pattern name = Pattern.compile(".*\\] (\\S+) source: .*");
        return Files.readAllLines(log).stream()
                .map(name::matcher)
                .filter(line -> line.matches())
                .map(line -> line.group(1))
                .toList();
    }

    private static int get(int port, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://localhost:" + port + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static List<String> intersection(List<String> loaded, List<String> candidates) {
        return candidates.stream().filter(loaded::contains).toList();
    }

    @Test
    void theServerLoadsNoUnnecessaryClassesForAFolderOfFiles() throws Exception {
        Path site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("hello.txt"), "Hello");
        List<String> loaded = loaded(site.toString(), "/hello.txt");
        assertEquals(List.of(), intersection(loaded, UNNECESSARY));
        assertEquals(List.of(), intersection(loaded, UNNECESSARY_FOR_FILES));
    }

    @Test
    void theServerLoadsNoUnnecessaryClassesForAnApplication() throws Exception {
        assertEquals(List.of(), intersection(loaded(SAMPLE, "/"), UNNECESSARY));
    }
}
