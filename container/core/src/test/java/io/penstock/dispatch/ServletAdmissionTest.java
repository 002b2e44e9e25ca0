package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.exchange.Admission;
import io.penstock.exchange.Admission.Admitted;
import io.penstock.exchange.Admission.Mode;
import io.penstock.exchange.Admission.Refused;
import io.penstock.exchange.FakeExchange;
import io.penstock.exchange.FakeResponse;
import io.penstock.http.Violation;
import jakarta.servlet.MultipartConfigElement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests whether the server admits a request, and in which mode the server reads the body of an admitted request. */
class ServletAdmissionTest {
    private final App app = new App();

    @AfterEach
    void stop() {
        app.close();
    }

    private Admission.Verdict admit(String requestLine, String... lines) throws Violation {
        return app.admission().admit(FakeExchange.of(requestLine, lines).head());
    }

    private Mode mode(String requestLine, String... lines) throws Violation {
        return assertInstanceOf(Admitted.class, admit(requestLine, lines)).mode();
    }

    private int statusOfViolation(String requestLine) {
        return assertThrows(Violation.class, () -> admit(requestLine)).status();
    }

    private static int status(Admission.Verdict verdict) {
        return assertInstanceOf(Refused.class, verdict).status();
    }

    @Test
    void aPathOutsideAllContextsIsRefusedWith404() throws Exception {
        app.start();
        assertEquals(404, status(admit("GET /other")));
        assertEquals(404, status(admit("GET /apple")));
    }

    @Test
    void anAmbiguousPathIsRefusedWith400() {
        app.start();
        assertEquals(400, statusOfViolation("GET /app/%2e%2e/secret"));
        assertEquals(400, statusOfViolation("GET /app/a%2fb"));
    }

    @Test
    void aPathInAContextIsAdmittedEvenIfNoServletIsMappedToThePath() throws Exception {
        app.start();
        Admitted admitted = assertInstanceOf(Admitted.class, admit("GET /app/nothing"));
        assertNull(((Route.ToServlet) admitted.route()).match());
        assertEquals(1000, admitted.bodyLimit());
    }

    @Test
    void noServletIsFoundForAPathInWebInfOrMetaInf() throws Exception {
        app.servlet("/*", (request, response) -> {});
        app.servlet("*.txt", (request, response) -> {});
        app.start();
        for (String path : List.of("/WEB-INF", "/WEB-INF/", "/web-inf/a.txt", "/META-INF/a", "//Meta-Inf;a=b/a.txt")) {
            Admitted admitted = assertInstanceOf(Admitted.class, admit("GET /app" + path));
            assertNull(((Route.ToServlet) admitted.route()).match(), path);
        }
        for (String path : List.of("/WEB-INFO/a", "/a/WEB-INF/a", "/META-INF.txt")) {
            Admitted admitted = assertInstanceOf(Admitted.class, admit("GET /app" + path));
            assertNotNull(((Route.ToServlet) admitted.route()).match(), path);
        }
    }

    /** A {@code SpoolHistory} records whether responses of a servlet had to wait for the disk. */
    @Test
    void oneSpoolHistoryIsUsedForAllRequestsForTheSameServlet() throws Exception {
        app.servlet("/one/*", (request, response) -> {});
        app.servlet("/other", (request, response) -> {});
        app.start();
        Admitted one = assertInstanceOf(Admitted.class, admit("GET /app/one/a"));
        assertSame(
                one.history(),
                assertInstanceOf(Admitted.class, admit("POST /app/one/b")).history());
        assertNotSame(
                one.history(),
                assertInstanceOf(Admitted.class, admit("GET /app/other")).history());
    }

    @Test
    void requestBodiesAreStreamedOnlyToAServletWithTheInitParameterForStreaming() throws Exception {
        app.servlet("/stream", (request, response) -> {}).initParameter(ContextTable.STREAMING, "true");
        app.servlet("/whole", (request, response) -> {});
        app.start();
        assertEquals(
                Mode.STREAMING,
                assertInstanceOf(Admitted.class, admit("POST /app/stream")).mode());
        assertEquals(
                Mode.BUFFERED,
                assertInstanceOf(Admitted.class, admit("POST /app/whole")).mode());
    }

    @Test
    void requestBodiesForAConfiguredPathAreStreamedToEveryServlet() throws Exception {
        app.servlet("/", (request, response) -> {});
        app.start();
        assertEquals(
                Mode.STREAMING,
                assertInstanceOf(Admitted.class, admit("POST /app/streams/a")).mode());
        assertEquals(
                Mode.BUFFERED,
                assertInstanceOf(Admitted.class, admit("POST /app/streamsnot")).mode());
    }

    /** The mode BUFFERED_FORM stores large bodies on disk. Only servlets with a multipart configuration expect such bodies. */
    @Test
    void theBufferedFormModeIsUsedOnlyForMultipartFormsToServletsWithAMultipartConfig() throws Exception {
        String form = "Content-Type: multipart/form-data; boundary=a";
        app.servlet("/form", (request, response) -> {}).multipart(new MultipartConfigElement(""));
        app.servlet("/other", (request, response) -> {});
        app.start();
        assertEquals(Mode.BUFFERED_FORM, mode("POST /app/form", form));
        assertEquals(Mode.BUFFERED, mode("POST /app/form", "Content-Type: multipart/mixed; boundary=a"));
        assertEquals(Mode.BUFFERED, mode("POST /app/form"));
        assertEquals(Mode.BUFFERED, mode("POST /app/other", form));
        assertEquals(Mode.STREAMING, mode("POST /app/streams/a", form));
    }

    @Test
    void aRequestForARemovedContextIsRefusedWith404() throws Exception {
        app.start();
        app.table().remove(app.context());
        assertEquals(404, status(admit("GET /app/a")));
    }

    @Test
    void anAsteriskAsRequestTargetIsAcceptedOnlyForOptions() {
        app.start();
        FakeResponse sink = app.serve(FakeExchange.of("OPTIONS *"));
        assertEquals(200, sink.status());
        assertEquals(0, sink.head().contentLength());
        assertEquals(400, statusOfViolation("GET *"));
    }

    @Test
    void aRequestForAContextPathWithoutATrailingSlashIsRedirected() {
        app.servlet("/", (request, response) -> response.getWriter().print("home"));
        app.start();
        FakeResponse sink = app.get("/app?a=1");
        assertEquals(302, sink.status());
        assertEquals(
                "http://example.test/app/?a=1", sink.header("Location"), "the Location header must be an absolute URL");
        assertEquals("home", app.get("/app/").text());
    }
}
