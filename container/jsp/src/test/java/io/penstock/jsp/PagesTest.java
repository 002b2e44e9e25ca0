package io.penstock.jsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.jsp.application.ControllerServlet;
import io.penstock.jsp.application.Greeting;
import io.penstock.jsp.application.RepeatTag;
import io.penstock.jsp.application.ResolverListener;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the features of JSP pages. */
class PagesTest {
    @TempDir
    Path folder;

    private static final String CORE = "<%@ taglib prefix='c' uri='jakarta.tags.core' %>";
    private static final String OLD_CORE = "<%@ taglib prefix='c' uri='http://java.sun.com/jsp/jstl/core' %>";

    private String page(String source, String query) throws Exception {
        try (Site.Server server = new Site().with("page.jsp", source).serve(folder)) {
            return server.text("/page.jsp" + query);
        }
    }

    @Test
    void aPageCanContainScriptletsAndDeclarationsAndExpressions() throws Exception {
        assertEquals(
                "0 1 4 9",
                page(
                        "<%! int square(int n) { return n * n; } %>"
                                + "<% for (int i = 0; i < 4; i++) { %><%= square(i) %> <% } %>",
                        ""));
    }

    @Test
    void expressionsCanReadParametersAndHeadersAndScopes() throws Exception {
        assertEquals(
                "a&b|127.0.0.1|6|[2, 3]|/site",
                page(
                        "<% request.setAttribute(\"n\", 3); %>"
                                + "${param.q}|${header.host.split(':')[0]}|${n * 2}|${[1,2,3].stream().filter(x->x>1).toList()}|"
                                + "${pageContext.request.contextPath}",
                        "?q=a%26b"));
    }

    @Test
    void jstlTagsWorkWithTheNewAndTheOldUri() throws Exception {
        String rest = "<c:forEach var='i' begin='1' end='3'><c:if test='${i != 2}'>${i};</c:if></c:forEach>"
                + "<c:out value='<b>'/>";
        try (Site.Server server = new Site()
                .with("new.jsp", CORE + rest)
                .with("old.jsp", OLD_CORE + rest)
                .serve(folder)) {
            assertEquals("1;3;&lt;b&gt;", server.text("/new.jsp"));
            assertEquals("1;3;&lt;b&gt;", server.text("/old.jsp"));
        }
    }

    @Test
    void theFormattingTagsAndTheFunctionsOfJstlCanBeUsed() throws Exception {
        assertEquals(
                "1,234.50 3",
                page(
                        "<%@ taglib prefix='fmt' uri='jakarta.tags.fmt' %><%@ taglib prefix='fn' uri='jakarta.tags.functions' %>"
                                + "<fmt:setLocale value='en_US'/><fmt:formatNumber value='1234.5' minFractionDigits='2'/> "
                                + "${fn:length('abc')}",
                        ""));
    }

    @Test
    void aPageCanUseBeansAndTagHandlersAndFunctionsOfTheApplication() throws Exception {
        try (Site.Server server = new Site()
                .withClasses(Greeting.class, RepeatTag.class)
                .with("WEB-INF/own.tld", """
                        <taglib xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0">
                          <tlib-version>1.0</tlib-version>
                          <short-name>own</short-name>
                          <uri>urn:own</uri>
                          <tag>
                            <name>repeat</name>
                            <tag-class>io.penstock.jsp.application.RepeatTag</tag-class>
                            <body-content>scriptless</body-content>
                            <attribute><name>times</name><required>true</required><rtexprvalue>true</rtexprvalue></attribute>
                          </tag>
                          <function>
                            <name>shout</name>
                            <function-class>io.penstock.jsp.application.Greeting</function-class>
                            <function-signature>java.lang.String shout(java.lang.String)</function-signature>
                          </function>
                        </taglib>
                        """)
                .with("page.jsp", """
                        <%@ taglib prefix="own" uri="urn:own" %>
                        <jsp:useBean id="greeting" class="io.penstock.jsp.application.Greeting"/>
                        <jsp:setProperty name="greeting" property="word" param="word"/>
                        <own:repeat times="2">${greeting.to('you')},</own:repeat> ${own:shout('end')}
                        """)
                .serve(folder)) {
            assertEquals("good day you,good day you, END!", server.text("/page.jsp?word=good+day"));
        }
    }

    @Test
    void tagFilesCanUseAttributesAndBodies() throws Exception {
        try (Site.Server server = new Site()
                .with("WEB-INF/tags/box.tag", """
                        <%@ attribute name="title" required="true" %><%@ variable name-given="depth" scope="NESTED" %>
                        [${title}: <% jspContext.setAttribute("depth", 1); %><jsp:doBody/>]
                        """)
                .with("page.jsp", """
                        <%@ taglib prefix="t" tagdir="/WEB-INF/tags" %><t:box title="one">in ${depth}</t:box>
                        """)
                .serve(folder)) {
            assertEquals("[one: in 1]", server.text("/page.jsp"));
        }
    }

    private static Site withTagFileInAJar(Site site) {
        return site.withLibrary("tags.jar", "META-INF/tags/hi.tag", "hi from the jar", "META-INF/own.tld", """
                <taglib xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0">
                  <tlib-version>1.0</tlib-version><short-name>jar</short-name><uri>urn:jar</uri>
                  <tag-file><name>hi</name><path>/META-INF/tags/hi.tag</path></tag-file>
                </taglib>
                """);
    }

    private static final String PAGE_WITH_TAG_FILE = "<%@ taglib prefix='jar' uri='urn:jar' %><jar:hi/>";

    @Test
    void aTagLibraryAndItsTagFilesMayBeInAJar() throws Exception {
        try (Site.Server server = withTagFileInAJar(new Site())
                .with("page.jsp", PAGE_WITH_TAG_FILE)
                .serve(folder)) {
            assertEquals("hi from the jar", server.text("/page.jsp"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared-libraries", "/site:libraries"})
    void aTagLibraryMayBeInAJarOfTheOperator(String key) throws Exception {
        Path libraries =
                withTagFileInAJar(new Site()).in(folder.resolve("other")).resolve("WEB-INF/lib");
        try (Site.Server server =
                new Site().with("page.jsp", PAGE_WITH_TAG_FILE).serve(folder, key, libraries.toString())) {
            assertEquals("hi from the jar", server.text("/page.jsp"));
        }
    }

    @Test
    void aPageCanIncludeAnotherPageAndForwardToAnotherPage() throws Exception {
        try (Site.Server server = new Site()
                .with("WEB-INF/head.jspf", "head,")
                .with("part.jsp", "part ${param.n},")
                .with("page.jsp", """
                        <%@ include file="/WEB-INF/head.jspf" %><jsp:include page="part.jsp"><jsp:param name="n" value="1"/></jsp:include>
                        <jsp:include page="/part.jsp?n=2" flush="true"/>end
                        """)
                .with("away.jsp", "lost <jsp:forward page='/part.jsp'><jsp:param name='n' value='3'/></jsp:forward>")
                .serve(folder)) {
            assertEquals("head,part 1, part 2,end", server.text("/page.jsp"));
            assertEquals("part 3,", server.text("/away.jsp"));
        }
    }

    @Test
    void servletsCanForwardToPagesThatClientsCannotRequest() throws Exception {
        try (Site.Server server = new Site()
                .withClasses(ControllerServlet.class)
                .described(
                        "<servlet><servlet-name>c</servlet-name><servlet-class>" + ControllerServlet.class.getName()
                                + "</servlet-class></servlet>"
                                + "<servlet-mapping><servlet-name>c</servlet-name><url-pattern>/go</url-pattern></servlet-mapping>")
                .with("WEB-INF/view.jsp", "seen by ${who}")
                .serve(folder)) {
            assertEquals("seen by controller", server.text("/go?page=/WEB-INF/view.jsp"));
            assertEquals("<<seen by controller>>", server.text("/go?include=1&page=/WEB-INF/view.jsp"));
            assertEquals(404, server.get("/WEB-INF/view.jsp").statusCode());
        }
    }

    @Test
    void aPageMayBeWrittenAsXml() throws Exception {
        try (Site.Server server = new Site().with("page.jspx", """
                        <jsp:root xmlns:jsp="http://java.sun.com/JSP/Page" xmlns:c="jakarta.tags.core" version="4.0">
                          <jsp:directive.page contentType="text/xml;charset=UTF-8"/>
                          <list><c:forEach var="i" begin="1" end="2"><item>${i}</item></c:forEach></list>
                        </jsp:root>
                        """).serve(folder)) {
            HttpResponse<String> answer = server.get("/page.jspx");
            assertEquals(
                    "text/xml;charset=UTF-8",
                    answer.headers().firstValue("Content-Type").orElse(""));
            assertTrue(answer.body().contains("<list><item>1</item><item>2</item></list>"), answer.body());
        }
    }

    @Test
    void thePageAndTheResponseMayHaveDifferentEncodings() throws Exception {
        try (Site.Server server = new Site()
                .with(
                        "page.jsp",
                        "<%@ page pageEncoding='ISO-8859-1' contentType='text/plain;charset=UTF-8' %>grün €{param.x}",
                        StandardCharsets.ISO_8859_1)
                .with("utf.jsp", "<%@ page pageEncoding='UTF-8' %>grün ${param.x}")
                .serve(folder)) {
            assertEquals("grün ?{param.x}", server.get("/page.jsp").body());
            HttpResponse<String> utf = server.get("/utf.jsp?x=%E2%82%AC");
            assertEquals("grün €", utf.body());
            assertEquals(
                    "text/html;charset=UTF-8",
                    utf.headers().firstValue("Content-Type").orElse(""));
        }
    }

    @Test
    void anErrorPageCanReadTheException() throws Exception {
        try (Site.Server server = new Site()
                .with("page.jsp", "<%@ page errorPage='/WEB-INF/sorry.jsp' %>lost<%= 1 / Integer.parseInt(\"0\") %>")
                .with(
                        "WEB-INF/sorry.jsp",
                        "<%@ page isErrorPage='true' %><%= exception.getClass().getSimpleName() %> in ${pageContext.errorData.requestURI}")
                .with("WEB-INF/gone.jsp", "nothing at ${requestScope['jakarta.servlet.error.request_uri']}")
                .described(
                        "<error-page><error-code>404</error-code><location>/WEB-INF/gone.jsp</location></error-page>")
                .serve(folder)) {
            HttpResponse<String> failed = server.get("/page.jsp");
            assertEquals(500, failed.statusCode());
            assertEquals("ArithmeticException in /site/page.jsp", failed.body().strip());
            HttpResponse<String> missing = server.get("/missing.jsp");
            assertEquals(404, missing.statusCode());
            assertEquals("nothing at /site/missing.jsp", missing.body().strip());
        }
    }

    @Test
    void aListenerCanExtendTheExpressionLanguageWhenTheApplicationStarts() throws Exception {
        try (Site.Server server = new Site()
                .withClasses(ResolverListener.class, Class.forName(ResolverListener.class.getName() + "$Answer"))
                .described("<listener><listener-class>" + ResolverListener.class.getName()
                        + "</listener-class></listener>")
                .with("page.jsp", "${answer}")
                .serve(folder)) {
            assertEquals("42", server.text("/page.jsp"));
        }
    }

    @Test
    void aPageCreatesASessionByDefaultAndCanDisableSessions() throws Exception {
        try (Site.Server server = new Site()
                .with("page.jsp", "<% session.setAttribute(\"n\", 1); %>${n}")
                .with("none.jsp", "<%@ page session='false' %>none")
                .serve(folder)) {
            assertTrue(
                    server.get("/page.jsp").headers().firstValue("Set-Cookie").isPresent());
            assertTrue(
                    server.get("/none.jsp").headers().firstValue("Set-Cookie").isEmpty());
        }
    }
}
