package io.penstock.standalone;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code --webapps}, which deploys the applications of a folder. The test adds, changes and removes files while the server runs. */
class WebappsFolderIT {
    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    private Path war(String text, String descriptor) throws IOException {
        Path war = folder.resolve("beside.war");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            zip.putNextEntry(new ZipEntry("WEB-INF/web.xml"));
            zip.write(descriptor.getBytes("UTF-8"));
            zip.putNextEntry(new ZipEntry("text.txt"));
            zip.write(text.getBytes("UTF-8"));
        }
        return war;
    }

    private void put(Path webapps, String name, String text, String descriptor) throws IOException {
        Files.move(war(text, descriptor), webapps.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private String get(int port, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        HttpResponse<String> response =
                client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() == 200 ? response.body() : Integer.toString(response.statusCode());
    }

    @Test
    void applicationsCanBeAddedAndReplacedAndRemovedWhileTheServerRuns() throws Exception {
        Path webapps = Files.createDirectory(folder.resolve("webapps"));
        put(webapps, "bad.war", "bad", "<web-app>\n<servlet>\n</web-app>");
        try (JarProcess jar = JarProcess.run(
                "--port", "0", "--host", "127.0.0.1", "--webapps", webapps.toString(), "--webapps-interval", "50ms")) {
            String line = jar.startLine();
            assertTrue(line.contains(" serves nothing yet at "), line);
            int port = JarProcess.port(line);
            assertTrue(jar.log().contains("Not deployed: " + webapps.resolve("bad.war") + ": WEB-INF/web.xml:3: "));

            put(webapps, "shop.war", "one", "<web-app/>");
            await().until(() -> get(port, "/shop/text.txt").equals("one"));
            put(webapps, "shop.war", "two!", "<web-app/>");
            await().until(() -> get(port, "/shop/text.txt").equals("two!"));
            put(webapps, "shop.war", "broken", "<web-app>\n<filter>\n</web-app>");
            await().until(() -> jar.log().contains("its former version stays in service"));
            assertEquals("two!", get(port, "/shop/text.txt"));
            Files.delete(webapps.resolve("shop.war"));
            await().until(() -> get(port, "/shop/text.txt").equals("404"));
        }
    }

    @Test
    void aMissingFolderOfApplicationsIsReportedOnOneLine() throws Exception {
        Path missing = folder.resolve("missing");
        try (JarProcess jar = JarProcess.run("--port", "0", "--webapps", missing.toString())) {
            jar.ended().assertError(1, "webapps: " + missing + ": no such folder");
        }
    }
}
