package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broken application does not prevent the start of the other applications. */
class OneFailsIT {

    @TempDir
    Path folder;

    private Path broken(String name, String descriptor) throws Exception {
        Path webInf = Files.createDirectories(folder.resolve(name).resolve("WEB-INF"));
        Files.writeString(webInf.resolve("web.xml"), "<web-app>\n" + descriptor + "\n</web-app>");
        return folder.resolve(name);
    }

    private static String mapped(String servlet) {
        return "<servlet><servlet-name>" + servlet + "</servlet-name><jsp-file>/x.jsp</jsp-file></servlet>"
                + "<servlet-mapping><servlet-name>" + servlet
                + "</servlet-name><url-pattern>/a</url-pattern></servlet-mapping>";
    }

    @Test
    void theValidApplicationIsServedAndEachErrorIsLoggedWithFileAndLine() throws Exception {
        Path works = Files.createDirectory(folder.resolve("works"));
        Files.writeString(works.resolve("index.html"), "here");
        String[] all = {
            "--port",
            "0",
            works.toString(),
            broken("misspelt", "<servlt/>").toString(),
            broken("missing", "<listener><listener-class>no.Such</listener-class></listener>")
                    .toString(),
            broken("twice", mapped("one") + "\n" + mapped("two")).toString()
        };
        try (JarProcess jar = JarProcess.run(all)) {
            String started = jar.startLine();
            assertTrue(started.contains(" serves /works at "), started);
            URI address = URI.create("http://localhost:" + JarProcess.port(started) + "/works/");
            assertEquals(
                    "here",
                    HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
                            .body());
            String log = jar.log();
            assertLoggedAsNotServed(log, "misspelt: WEB-INF/web.xml:2: <servlt> is not an element of <web-app>");
            assertLoggedAsNotServed(
                    log, "missing: WEB-INF/web.xml:2: listener class no.Such is not in the application");
            assertLoggedAsNotServed(
                    log, "twice: WEB-INF/web.xml:3: URL pattern '/a' of the servlet 'two' is already mapped to 'one'");
        }
    }

    private void assertLoggedAsNotServed(String log, String message) {
        assertTrue(log.contains("Not served: " + folder + "/" + message), log);
    }
}
