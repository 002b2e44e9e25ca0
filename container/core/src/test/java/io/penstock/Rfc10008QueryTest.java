package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the method QUERY (RFC 10008; Servlet 6.2, 3.1.1): a request like GET whose query is its body. */
class Rfc10008QueryTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    @TempDir
    Path folder;

    private Penstock server;

    /** Answers with the method and the values of the parameter {@code word}. */
    private static final class Search extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String[] words = request.getParameterValues("word");
            String text = words == null ? request.getReader().readLine() : String.join(",", words);
            response.getWriter().print(request.getMethod() + ' ' + text);
        }
    }

    @BeforeEach
    void start() throws Exception {
        Files.writeString(folder.resolve("index.html"), "welcome");
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("admin-port", "0")
                .context("/", context -> context.resources(folder)
                        .servlet("search", new Search(), new MultipartConfigElement(""), "/search")
                        .servlet("get", new HttpServlet() {}, "/get"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private RawExchange query(String target, String type, String body) throws IOException {
        return RawExchange.of(
                server,
                "QUERY " + target + " HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\nContent-Type: " + type
                        + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    @Test
    void theFormInTheBodyBecomesParametersBehindThoseOfTheUri() throws Exception {
        assertEquals(
                "QUERY uri,body", query("/search?word=uri", FORM, "word=body").body());
    }

    @Test
    void theFieldsOfAMultipartFormBecomeParameters() throws Exception {
        String part = "--cut\r\nContent-Disposition: form-data; name=\"word\"\r\n\r\nin a part\r\n--cut--\r\n";
        assertEquals(
                "QUERY in a part",
                query("/search", "multipart/form-data; boundary=cut", part).body());
    }

    @Test
    void aBodyOfAnotherTypeIsReadByTheServlet() throws Exception {
        assertEquals(
                "QUERY word=text",
                query("/search", "application/sql", "word=text").body());
    }

    /** RFC 9110 section 15.5.6: a 405 names the methods that are allowed. */
    @Test
    void aFileIsNotTheResultOfAQuery() throws Exception {
        for (String target : List.of("/index.html", "/")) {
            RawExchange answer = query(target, FORM, "word=x");
            assertEquals(405, answer.status(), target);
            assertEquals(List.of("GET, HEAD, OPTIONS"), answer.values("Allow"));
        }
        assertEquals(404, query("/missing", FORM, "word=x").status());
    }

    @Test
    void aServletWithoutTheMethodAnswers501() throws Exception {
        assertEquals(501, query("/get", FORM, "word=x").status());
    }

    @Test
    void theMetricsKnowTheMethod() throws Exception {
        assertEquals(200, query("/search", FORM, "word=x").status());
        String count = "http_server_request_duration_seconds_count{url_scheme=\"http\",http_request_method=\"QUERY\","
                + "http_response_status_code=\"200\"}";
        await().until(() -> AdminPort.of(server).metrics().samples().getOrDefault(count, 0.0) == 1);
    }
}
