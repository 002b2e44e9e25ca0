package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.Penstock;
import io.penstock.deploy.application.WhereServlet;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servlet 6.1 section 10.10: the response to a request for a directory is a welcome file. If the directory contains no welcome file, a
 * welcome servlet responds. The mapping of a welcome servlet matches the path of the directory followed by a name of the
 * {@code welcome-file-list}.
 */
class WelcomeServletTest {
    @TempDir
    Path folder;

    private Penstock start(String... welcomeFiles) throws Exception {
        StringBuilder list = new StringBuilder();
        for (String name : welcomeFiles) {
            list.append("<welcome-file>").append(name).append("</welcome-file>");
        }
        Path war = Packing.empty()
                .with(
                        "WEB-INF/web.xml",
                        "<web-app version='6.1'><welcome-file-list>" + list + "</welcome-file-list></web-app>")
                .with("files/index.html", "a file")
                .with("area/x.txt", "x")
                .with("exact/x.txt", "x")
                .with("deep/er/x.txt", "x")
                .withClasses("WEB-INF/classes/", WhereServlet.class)
                .archive(folder.resolve("site.war"));
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .war("/app", war)
                .start();
    }

    private static String get(Penstock server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + "/app" + path);
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() == 200 ? response.body() : "status " + response.statusCode();
    }

    @Test
    void aServletMappedToAnExtensionIsAWelcomeServlet() throws Exception {
        try (Penstock server = start("index.do", "index.html")) {
            assertEquals("/index.do null", get(server, "/"));
            assertEquals("/deep/er/index.do null", get(server, "/deep/er/"));
            assertEquals(
                    "a file",
                    get(server, "/files/"),
                    "a file must win over a servlet that is earlier in the welcome list");
        }
    }

    @Test
    void aServletMappedToAPathIsAWelcomeServlet() throws Exception {
        try (Penstock server = start("index.html", "start/here", "home")) {
            assertEquals("/area/start /here", get(server, "/area/"));
            assertEquals("/exact/home null", get(server, "/exact/"));
        }
    }

    /** The default servlet is mapped to every path, but is not a welcome servlet. */
    @Test
    void theStatusIs404ForADirectoryWithNoWelcomeFileAndNoWelcomeServlet() throws Exception {
        try (Penstock server = start("index.html", "index.jsp")) {
            assertEquals("status 404", get(server, "/deep/"));
        }
    }
}
