package io.penstock.jsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the responses for pages with errors. By default, a response contains no details of the error. */
class BrokenPageTest {
    private static final String[] DETAILS_OF_THE_PAGE = {"secret", "page.jsp", "jasper", "org.apache"};

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ok\n<% String secret = 1; %>",
                "ok\n<%@ taglib prefix='secret' uri='urn:none' %>",
                "ok\n<% if (true) throw new IllegalStateException(\"secret\"); %>",
                "ok\n${secret.none(",
                "ok\n<%@ include file='/secret.jspf' %>"
            })
    void byDefaultTheResponseContainsNoDetailsOfAFailedPage(String source) throws Exception {
        try (Site.Server server = new Site().with("page.jsp", source).serve(folder)) {
            HttpResponse<String> answer = server.get("/page.jsp");
            assertEquals(500, answer.statusCode());
            for (String word : DETAILS_OF_THE_PAGE) {
                assertFalse(answer.body().contains(word), answer.body());
            }
        }
    }

    private static String settingToShowErrors() {
        return "<context-param><param-name>penstock.jsp.show-errors</param-name><param-value>true</param-value></context-param>";
    }

    @Test
    void anApplicationCanEnableResponsesWithTheLineAndTheReasonOfAnError() throws Exception {
        try (Site.Server server = new Site()
                .described(settingToShowErrors())
                .with("page.jsp", "ok\n<% String number = 1; %>")
                .serve(folder)) {
            HttpResponse<String> answer = server.get("/page.jsp");
            assertEquals(500, answer.statusCode());
            assertEquals(
                    "text/plain;charset=UTF-8",
                    answer.headers().firstValue("Content-Type").orElse(""));
            assertTrue(answer.body().contains("line: [2] in the jsp file: [/page.jsp]"), answer.body());
            assertTrue(answer.body().contains("cannot convert from int to String"), answer.body());
        }
    }

    @Test
    void aFailureOfAnIncludedPageIsExplainedOnceAndWithItsCause() throws Exception {
        try (Site.Server server = new Site()
                .described(
                        settingToShowErrors()
                                + "<context-param><param-name>penstock.show-exceptions</param-name><param-value>true</param-value></context-param>")
                .with("outer.jsp", "<jsp:include page='page.jsp'/>")
                .with("page.jsp", "ok\n<% if (true) throw new IllegalStateException(\"why\"); %>")
                .serve(folder)) {
            HttpResponse<String> answer = server.get("/outer.jsp");
            assertEquals(500, answer.statusCode());
            assertTrue(
                    answer.body()
                            .startsWith("An exception occurred processing [/page.jsp] at line [2]\n1: ok\n2: <% if"),
                    answer.body());
            assertEquals(2, answer.body().split("1: ok").length, answer.body());
            assertTrue(answer.body().contains("Caused by: java.lang.IllegalStateException: why\n\tat "), answer.body());
        }
    }

    @Test
    void aCorrectedPageIsCompiledAgain() throws Exception {
        try (Site.Server server = new Site()
                .described("<context-param><param-name>penstock.jsp.modificationTestInterval</param-name>"
                        + "<param-value>0</param-value></context-param>")
                .with("page.jsp", "<% String number = 1; %>")
                .serve(folder)) {
            assertEquals(500, server.get("/page.jsp").statusCode());
            rewrite(server, "first", 10);
            assertEquals("first", server.text("/page.jsp"));
            rewrite(server, "second", 20);
            assertEquals("second", server.text("/page.jsp"));
        }
    }

    private static void rewrite(Site.Server server, String content, int secondsLater) throws Exception {
        Path page = Files.writeString(server.application().resolve("page.jsp"), content);
        Files.setLastModifiedTime(page, FileTime.from(Instant.now().plusSeconds(secondsLater)));
    }

    /**
     * Any client can send an invalid precompilation request. Such a request is not a failure of the page. So the container must not show
     * the error page for exceptions.
     */
    @Test
    void anInvalidPrecompilationRequestDoesNotShowTheErrorPageForExceptions() throws Exception {
        try (Site.Server server = new Site()
                .described("<error-page><exception-type>java.lang.Throwable</exception-type>"
                        + "<location>/thrown.html</location></error-page>")
                .with("thrown.html", "thrown")
                .with("page.jsp", "ok")
                .serve(folder)) {
            for (String query : new String[] {"jsp_precompile=x", "jsp_precompile=", "a=b&jsp_precompile=yes&c=d"}) {
                HttpResponse<String> answer = server.get("/page.jsp?" + query);
                assertEquals(500, answer.statusCode());
                assertFalse(answer.body().contains("thrown"), query);
            }
            for (String query : new String[] {"jsp_precompile", "jsp_precompile=true", "jsp_precompile=false&a=b"}) {
                assertEquals("", server.text("/page.jsp?" + query), query);
            }
            assertEquals("ok", server.text("/page.jsp?jsp_precompiled=x"));
        }
    }

    @Test
    void aRequestForAMissingPageGetsStatus404() throws Exception {
        try (Site.Server server = new Site().serve(folder)) {
            assertEquals(404, server.get("/page.jsp").statusCode());
        }
    }
}
