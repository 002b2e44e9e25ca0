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
 * Tests that a start and the first response load no unnecessary code. The test looks at the loaded classes, so the test does not depend on
 * the speed of the machine.
 */
class LazyStartIT {
    private static final String SAMPLE =
            System.getProperty("sample.webapp", "../../sample-webapp/target/sample-webapp.war");

    /** Classes that a start must not load. Each comment names the feature that would load the class. */
    private static final List<String> NEEDLESS = List.of(
            "io.penstock.acme.AcmeIssuer", // orders of certificates
            "org.shredzone.acme4j.Session",
            "java.security.SecureRandom", // names of folders, session ids, keys of logins
            "java.time.zone.TzdbZoneRulesProvider"); // the time in log lines

    private static final List<String> NEEDLESS_FOR_FILES = List.of(
            "javax.naming.spi.NamingManager", // JNDI of applications
            "io.penstock.jsp.JspPart", // optional parts of the server
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

    private static List<String> both(List<String> loaded, List<String> needless) {
        return needless.stream().filter(loaded::contains).toList();
    }

    @Test
    void aFolderOfFilesLoadsNoNeedlessClasses() throws Exception {
        Path site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("hello.txt"), "Hello");
        List<String> loaded = loaded(site.toString(), "/hello.txt");
        assertEquals(List.of(), both(loaded, NEEDLESS));
        assertEquals(List.of(), both(loaded, NEEDLESS_FOR_FILES));
    }

    @Test
    void anApplicationLoadsNoNeedlessClasses() throws Exception {
        assertEquals(List.of(), both(loaded(SAMPLE, "/"), NEEDLESS));
    }
}
