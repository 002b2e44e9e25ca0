package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests an application that contains only JSP pages. The JSP engine and the JSTL tag libraries are in {@code penstock.jar}. */
class JspPagesIT {
    private static final Map<String, String> PAGES = Map.of(
            "index.jsp",
            "<%@ taglib prefix='c' uri='jakarta.tags.core' %><%@ taglib prefix='t' tagdir='/WEB-INF/tags' %>"
                    + "<c:forEach var='i' begin='1' end='3'><t:cell>${i * i}</t:cell></c:forEach>",
            "WEB-INF/tags/cell.tag",
            "[<jsp:doBody/>]",
            "xml.jsp",
            "<%@ taglib prefix='c' uri='jakarta.tags.core' %><%@ taglib prefix='x' uri='jakarta.tags.xml' %><c:set"
                    + " var='text'><a><b n='1'>one</b><b n='2'>two</b></a></c:set><x:parse var='a' xml='${text}'/><x:out"
                    + " select='$a/a/b[@n=2]'/><x:forEach select='$a//b' var='b'>,<x:out"
                    + " select='$b/@n'/></x:forEach><c:set var='sheet'><xsl:stylesheet version='1.0'"
                    + " xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:output method='text'/><xsl:template"
                    + " match='/'>;<xsl:value-of select='count(//b)'/></xsl:template></xsl:stylesheet></c:set><x:transform"
                    + " doc='${text}' xslt='${sheet}'/>",
            "broken.jsp",
            "line one\n<% int secret = \"text\"; %>");

    @TempDir
    Path folder;

    private Path war() throws IOException {
        Path war = folder.resolve("pages.war");
        try (OutputStream file = Files.newOutputStream(war);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            for (Map.Entry<String, String> page : PAGES.entrySet()) {
                zip.putNextEntry(new ZipEntry(page.getKey()));
                zip.write(page.getValue().getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
        return war;
    }

    private static HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aWarThatContainsOnlyJspFilesIsServed() throws Exception {
        try (JarProcess jar = JarProcess.run("--port", "0", war().toString())) {
            int port = JarProcess.port(jar.startLine());
            HttpResponse<String> response = get(port, "/");
            assertEquals("[1][4][9]", response.body(), jar.log());
            assertEquals("two,1,2;2", get(port, "/xml.jsp").body().strip(), jar.log());
            assertEquals("", jar.log());
        }
    }

    @Test
    void aCompilationErrorInAPageIsLoggedAndIsNotInTheResponse() throws Exception {
        try (JarProcess jar = JarProcess.run("--port", "0", war().toString())) {
            int port = JarProcess.port(jar.startLine());
            HttpResponse<String> response = get(port, "/broken.jsp");
            assertEquals(500, response.statusCode());
            assertFalse(response.body().contains("secret"), response.body());
            String log = jar.log();
            assertTrue(log.contains("GET /broken.jsp failed in the application at /\n"), log);
            assertTrue(log.contains("\n  page /broken.jsp cannot be compiled\n"), log);
            assertTrue(log.contains("line: [2] in the jsp file: [/broken.jsp]\n"), log);
            assertTrue(log.contains("Type mismatch: cannot convert from String to int"), log);
            assertFalse(log.contains("org.apache.jasper"), log);
        }
    }
}
