package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.penstock.Penstock;
import io.penstock.deploy.application.IncludingServlet;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server never sends the source of a JSP page, even if it has no JSP engine. */
class PageSourceTest {
    @TempDir
    Path folder;

    private static Penstock serve(Path war) throws Exception {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .war("/", war)
                .start();
    }

    private static HttpResponse<String> get(Penstock server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aServletMappedToAJspPathCannotIncludeTheSourceOfAJspPage() throws Exception {
        Path war = Packing.empty()
                .with(
                        "WEB-INF/web.xml",
                        "<web-app version='6.1'><servlet><servlet-name>front</servlet-name><servlet-class>"
                                + IncludingServlet.class.getName() + "</servlet-class></servlet>"
                                + "<servlet-mapping><servlet-name>front</servlet-name>"
                                + "<url-pattern>/front.jsp</url-pattern></servlet-mapping></web-app>")
                .with("text.txt", "text")
                .with("page.jsp", "<%= secret %>")
                .withClasses("WEB-INF/classes/", IncludingServlet.class)
                .archive(folder.resolve("site.war"));
        try (Penstock server = serve(war)) {
            assertEquals("[text]", get(server, "/front.jsp?page=/text.txt").body());
            assertFalse(get(server, "/front.jsp?page=/page.jsp").body().contains("secret"));
        }
    }

    @Test
    void theSourceOfAJspPageIsNeverSent() throws Exception {
        Path war = Packing.empty()
                .with("page.jsp", "<%= secret %>")
                .with("text.txt", "text")
                .withClasses("WEB-INF/classes/", IncludingServlet.class)
                .archive(folder.resolve("site.war"));
        try (Penstock server = serve(war)) {
            assertEquals("[text]", get(server, "/include?page=/text.txt").body());
            HttpResponse<String> asked = get(server, "/page.jsp");
            assertEquals(501, asked.statusCode());
            assertFalse(asked.body().contains("secret"));
            HttpResponse<String> included = get(server, "/include?page=/page.jsp");
            assertEquals(500, included.statusCode());
            assertFalse(included.body().contains("secret"));
        }
    }
}
