package ${package};

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.junit.PenstockExtension;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the servlet in a server that the test starts. */
class HelloServletTest {
    @RegisterExtension
    static final PenstockExtension SERVER = PenstockExtension.with(builder ->
            builder.context("/", context -> context.servlet("hello", new HelloServlet(), "/hello")));

    @Test
    void theGreetingContainsTheNameFromTheQuery(URI server) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/hello?name=Ann")).build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertEquals("Hello, Ann", response.body().strip());
    }
}
