package io.penstock.jsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.penstock.jsp.application.PathDispatchingServlet;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that pages and servlets can dispatch to files, pages and servlets, with each kind of dispatch (Servlet 6.1 chapter 9). */
class DispatchToFilesTest {
    private static final String NAMED =
            "<%% String secret = null; application.getNamedDispatcher(\"default\").%s(request, response); %%>";

    @TempDir
    static Path folder;

    private static Site.Server server;

    @BeforeAll
    static void start() throws Exception {
        server = new Site()
                .withClasses(PathDispatchingServlet.class)
                .described("<error-page><error-code>410</error-code><location>/sorry.html</location></error-page>")
                .with("file.html", "<b>html</b>")
                .with("file.txt", "plain")
                .with("sorry.html", "<i>gone</i>")
                .with("other.jsp", "page ${1 + 1}")
                .with("include.jsp", "before <jsp:include page='${param.to}'/> after")
                .with("flushed.jsp", "before <jsp:include page='${param.to}' flush='true'/> after")
                .with("twice.jsp", "outer <jsp:include page='/include.jsp'/> outer")
                .with("forward.jsp", "lost <jsp:forward page='${param.to}'/>")
                .with("error.jsp", "<% response.sendError(410); %>")
                .with(
                        "throws.jsp",
                        "<%@ page errorPage='/sorry.html' %>lost <% if (true) throw new IllegalStateException(\"on purpose\"); %>")
                .with("named-include.jsp", NAMED.formatted("include"))
                .with("named-forward.jsp", NAMED.formatted("forward"))
                .serve(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String dispatched(String by, String to) throws Exception {
        return server.text(
                by + (by.indexOf('?') < 0 ? "?" : "&") + "to=" + URLEncoder.encode(to, StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource({"/file.html, <b>html</b>", "/file.txt, plain", "/other.jsp, page 2", "/lead?by=itself, servlet"})
    void eachKindOfDispatchWorksForEachTarget(String target, String content) throws Exception {
        assertEquals("before " + content + " after", dispatched("/include.jsp", target));
        assertEquals("before " + content + " after", dispatched("/flushed.jsp", target));
        assertEquals("outer before " + content + " after outer", dispatched("/twice.jsp", target));
        assertEquals(content, dispatched("/forward.jsp", target));
        assertEquals(content, dispatched("/lead?by=include", target));
        assertEquals(content, dispatched("/lead?by=forward", target));
        assertEquals(content, dispatched("/lead?by=async", target));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/error.jsp", "/lead?by=error", "/include.jsp?to=/lead?by=error", "/forward.jsp?to=/error.jsp"})
    void anErrorPageMayBeAFile(String path) throws Exception {
        HttpResponse<String> answer = server.get(path);
        // An included page cannot set a status (Servlet 9.3).
        boolean included = path.startsWith("/include");
        assertEquals(included ? 200 : 410, answer.statusCode());
        assertEquals(included ? "before  after" : "<i>gone</i>", answer.body());
    }

    @Test
    void aJspCanDeclareAFileAsItsErrorPage() throws Exception {
        assertEquals("<i>gone</i>", server.text("/throws.jsp"));
    }

    @Test
    void aNamedDispatcherOfTheDefaultServletDoesNotShowTheSourceOfAPage() throws Exception {
        for (String page : new String[] {"/named-include.jsp", "/named-forward.jsp"}) {
            HttpResponse<String> answer = server.get(page);
            assertEquals(page.contains("include") ? 500 : 501, answer.statusCode(), page);
            assertFalse(answer.body().contains("secret"), answer.body());
        }
    }
}
