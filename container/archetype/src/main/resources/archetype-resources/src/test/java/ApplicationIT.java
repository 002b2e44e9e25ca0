package ${package};

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Tests the archive of the application, in a running server. */
class ApplicationIT {
    private static HttpResponse<String> get(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + Integer.getInteger("penstock.http.port") + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void theHomePageIsServed() throws Exception {
        assertEquals(200, get("/").statusCode());
    }

    @Test
    void theServletSendsAGreeting() throws Exception {
        assertEquals("Hello, world", get("/hello").body().strip());
    }
}
