package io.penstock.jsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.jsp.application.CompiledPage;
import io.penstock.jsp.application.ControllerServlet;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests deployment descriptors that declare a page as a servlet, declare a file as a page, or configure pages. */
class PageDeclarationsTest {
    @TempDir
    Path folder;

    private static String servlet(String name, String content, String pattern) {
        return "<servlet><servlet-name>" + name + "</servlet-name>" + content
                + "</servlet><servlet-mapping><servlet-name>" + name + "</servlet-name><url-pattern>" + pattern
                + "</url-pattern></servlet-mapping>";
    }

    private static String group(String content) {
        return "<jsp-config><jsp-property-group>" + content + "</jsp-property-group></jsp-config>";
    }

    @Test
    void aPageCanBeDeclaredAsAServletWithInitParameters() throws Exception {
        String parameter = "<init-param><param-name>colour</param-name><param-value>green</param-value></init-param>";
        try (Site.Server server = new Site()
                .described(servlet(
                        "page",
                        "<jsp-file>/WEB-INF/page.jsp</jsp-file>" + parameter + "<load-on-startup>1</load-on-startup>",
                        "/named/*"))
                .with("WEB-INF/page.jsp", "<%= config.getInitParameter(\"colour\") %> ${pageContext.request.pathInfo}")
                .serve(folder)) {
            assertEquals("green /x", server.text("/named/x"));
        }
    }

    @Test
    void aPrecompiledPageIsServed() throws Exception {
        try (Site.Server server = new Site()
                .withClasses(CompiledPage.class)
                .described(servlet(
                        "page", "<servlet-class>" + CompiledPage.class.getName() + "</servlet-class>", "/page.jsp"))
                .serve(folder)) {
            assertEquals("compiled before", server.text("/page.jsp"));
        }
    }

    @Test
    void aPageMayBeTheWelcomeFile() throws Exception {
        try (Site.Server server = new Site()
                .with("index.jsp", "the root")
                .with("sub/index.jsp", "below")
                .serve(folder)) {
            assertEquals("the root", server.text("/"));
            assertEquals("below", server.text("/sub/"));
        }
    }

    @Test
    void aMappingOfTheApplicationReplacesTheMappingOfTheJspEngine() throws Exception {
        try (Site.Server server = new Site()
                .withClasses(ControllerServlet.class)
                .described(servlet(
                        "jsp", "<servlet-class>" + ControllerServlet.class.getName() + "</servlet-class>", "*.jsp"))
                .with("page.jspx", "<p xmlns:jsp='http://java.sun.com/JSP/Page'>${1 + 1}</p>")
                .serve(folder)) {
            assertTrue(server.text("/x.jsp?page=/page.jspx").contains("<p>2</p>"));
        }
    }

    @Test
    void aPropertyGroupCanDeclareFilesAsPagesAndAddAPreludeAndACoda() throws Exception {
        try (Site.Server server = new Site()
                .described(group("<url-pattern>*.html</url-pattern><page-encoding>UTF-8</page-encoding>"
                        + "<include-prelude>/WEB-INF/before.jspf</include-prelude><include-coda>/WEB-INF/after.jspf</include-coda>"
                        + "<default-content-type>text/plain</default-content-type>"))
                .with("WEB-INF/before.jspf", "before,")
                .with("WEB-INF/after.jspf", ",after")
                .with("page.html", "${1 + 1} €")
                .serve(folder)) {
            assertEquals("before,2 €,after", server.text("/page.html"));
            assertEquals(
                    "text/plain;charset=UTF-8",
                    server.get("/page.html")
                            .headers()
                            .firstValue("Content-Type")
                            .orElse(""));
        }
    }

    @Test
    void aFolderThatMatchesAPropertyGroupStillHasItsWelcomeFile() throws Exception {
        try (Site.Server server = new Site()
                .described(group("<url-pattern>/pages/*</url-pattern>"))
                .with("pages/index.html", "${1 + 1}")
                .serve(folder)) {
            assertEquals("2", server.text("/pages/"));
            assertEquals("2", server.text("/pages/index.html"));
            assertEquals(404, server.get("/pages/missing").statusCode());
        }
    }

    @Test
    void aPropertyGroupCanForbidScriptingAndDisableExpressions() throws Exception {
        try (Site.Server server = new Site()
                .described("<jsp-config>"
                        + "<jsp-property-group><url-pattern>/no-script.jsp</url-pattern><scripting-invalid>true</scripting-invalid></jsp-property-group>"
                        + "<jsp-property-group><url-pattern>/plain.jsp</url-pattern><el-ignored>true</el-ignored></jsp-property-group>"
                        + "</jsp-config>")
                .with("no-script.jsp", "<%= 1 %>")
                .with("plain.jsp", "${1 + 1}")
                .serve(folder)) {
            assertEquals(500, server.get("/no-script.jsp").statusCode());
            assertEquals("${1 + 1}", server.text("/plain.jsp"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<!DOCTYPE web-app PUBLIC '-//Sun Microsystems, Inc.//DTD Web Application 2.2//EN' 'x'><web-app/>|${1 + 1}",
                "<!DOCTYPE web-app PUBLIC '-//Sun Microsystems, Inc.//DTD Web Application 2.3//EN' 'x'><web-app/>|${1 + 1}",
                "<web-app version='2.4'/>|2",
                "<web-app version='2.5'/>|2",
                "<web-app/>|2"
            })
    void aPageMustEnableExpressionsIfWebXmlIsOlderThanServlet24(String descriptor, String shown) throws Exception {
        try (Site.Server server = new Site()
                .with("WEB-INF/web.xml", descriptor)
                .with("page.jsp", "${1 + 1}")
                .with("modern.jsp", "<%@ page isELIgnored='false' %>${1 + 1}")
                .serve(folder)) {
            assertEquals(shown, server.text("/page.jsp"));
            assertEquals("2", server.text("/modern.jsp"));
        }
    }

    @Test
    void aTagLibraryIsFoundByItsUriInWebXml() throws Exception {
        try (Site.Server server = new Site()
                .described("<jsp-config><taglib><taglib-uri>urn:named</taglib-uri>"
                        + "<taglib-location>/WEB-INF/libraries/own.tld</taglib-location></taglib></jsp-config>")
                .with("WEB-INF/tags/hi.tag", "hi")
                .with("WEB-INF/libraries/own.tld", """
                        <taglib xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0">
                          <tlib-version>1.0</tlib-version><short-name>own</short-name>
                          <tag-file><name>hi</name><path>/WEB-INF/tags/hi.tag</path></tag-file>
                        </taglib>
                        """)
                .with("page.jsp", "<%@ taglib prefix='n' uri='urn:named' %><n:hi/>")
                .serve(folder)) {
            assertEquals("hi", server.text("/page.jsp"));
            assertFalse(server.text("/page.jsp").contains("<n:hi"));
        }
    }
}
