package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.descriptor.JspConfigDescriptor;
import jakarta.servlet.descriptor.JspPropertyGroupDescriptor;
import jakarta.servlet.descriptor.TaglibDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebXmlParserTest {
    private static final String FILE = "WEB-INF/web.xml";

    static WebXml parse(String xml) throws DeploymentException, IOException {
        return WebXmlParser.application(FILE, new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    }

    private static String failure(String xml) {
        return assertThrows(DeploymentException.class, () -> parse(xml)).getMessage();
    }

    @ParameterizedTest
    @CsvSource({
        "2.4, http://java.sun.com/xml/ns/j2ee",
        "2.5, http://java.sun.com/xml/ns/javaee",
        "3.0, http://java.sun.com/xml/ns/javaee",
        "3.1, http://xmlns.jcp.org/xml/ns/javaee",
        "4.0, http://xmlns.jcp.org/xml/ns/javaee",
        "5.0, https://jakarta.ee/xml/ns/jakartaee",
        "6.0, https://jakarta.ee/xml/ns/jakartaee",
        "6.1, https://jakarta.ee/xml/ns/jakartaee",
        "6.2, https://jakarta.ee/xml/ns/jakartaee"
    })
    void descriptorsAreReadInEveryVersionThatHasASchema(String version, String namespace) throws Exception {
        WebXml xml = parse("""
                <?xml version="1.0" encoding="UTF-8"?>
                <web-app xmlns="%s" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                    xsi:schemaLocation="%s web-app.xsd" version="%s">
                  <display-name>Shop</display-name>
                  <servlet><servlet-name>a</servlet-name><servlet-class>A</servlet-class></servlet>
                </web-app>""".formatted(namespace, namespace, version));
        assertEquals(version, xml.about().version());
        assertEquals("Shop", xml.about().displayName());
        assertEquals("A", xml.servlets().get(0).className());
    }

    @ParameterizedTest
    @CsvSource({"2.2, http://java.sun.com/j2ee/dtds/web-app_2_2.dtd", "2.3, http://java.sun.com/dtd/web-app_2_3.dtd"})
    void theDoctypeDeterminesTheVersionAndTheDtdIsNeverFetched(String version, String systemId) throws Exception {
        WebXml xml = parse("""
                <?xml version="1.0" encoding="ISO-8859-1"?>
                <!DOCTYPE web-app PUBLIC "-//Sun Microsystems, Inc.//DTD Web Application %s//EN" "%s">
                <web-app>
                  <icon><small-icon>/i.gif</small-icon></icon>
                  <taglib><taglib-uri>/t</taglib-uri><taglib-location>/WEB-INF/t.tld</taglib-location></taglib>
                  <session-config><session-timeout> 5 </session-timeout></session-config>
                </web-app>""".formatted(version, systemId));
        assertEquals(version, xml.about().version());
        assertEquals(5, xml.session().timeoutMinutes());
        assertEquals(1, xml.jspConfig().size());
    }

    @ParameterizedTest
    @CsvSource({
        "2.3, <!DOCTYPE web-app SYSTEM '/WEB-INF/dtd/web-app_2_3.dtd'>",
        "2.2, <!DOCTYPE web-app PUBLIC '-//Sun Microsystems%2C Inc.//DTD Web Application 2.2//EN' 'elsewhere.dtd'>",
        "2.3, <!DOCTYPE web-app SYSTEM 'web-app_2_3.dtd' [<!ENTITY a 'b'>]>",
        ", <!DOCTYPE web-app>",
        ", <!DOCTYPE web-app SYSTEM 'http://example.org/of-our-own.dtd'>"
    })
    void thePublicIdentifierOrTheSystemIdentifierDeterminesTheVersion(@Nullable String version, String doctype)
            throws Exception {
        assertEquals(
                version,
                parse(doctype.replace("%2C", ",") + "<web-app/>").about().version());
    }

    @Test
    void theVersionAttributeWinsOverTheDoctype() throws Exception {
        WebXml xml = parse("<!DOCTYPE web-app SYSTEM 'web-app_2_3.dtd'><web-app version='3.0'/>");
        assertEquals("3.0", xml.about().version());
    }

    @Test
    void aDoctypeIsReadEvenIfItCrossesTheEndOfTheBuffer() throws Exception {
        // For some of these lengths, the end of the parser's buffer is inside the DOCTYPE.
        for (int length = 8_000; length < 8_300; length++) {
            String comment = "<!--" + "x".repeat(length) + "-->";
            assertEquals(
                    "2.3",
                    parse(comment + "<!DOCTYPE web-app SYSTEM 'web-app_2_3.dtd'><web-app/>")
                            .about()
                            .version());
        }
    }

    @Test
    void jspElementsAreConvertedToDescriptorsOfTheServletApi() throws Exception {
        JspConfigDescriptor config = JspElements.config(parse("""
                <web-app>
                  <jsp-config>
                    <taglib><taglib-uri>urn:t</taglib-uri><taglib-location>/WEB-INF/t.tld</taglib-location></taglib>
                    <jsp-property-group>
                      <url-pattern>*.html</url-pattern><url-pattern>/p/*</url-pattern>
                      <el-ignored>1</el-ignored><page-encoding>UTF-8</page-encoding>
                      <include-prelude>/a.jspf</include-prelude><include-coda>/b.jspf</include-coda>
                      <trim-directive-whitespaces>false</trim-directive-whitespaces><buffer>8kb</buffer>
                    </jsp-property-group>
                  </jsp-config>
                </web-app>""").jspConfig());
        TaglibDescriptor library = config.getTaglibs().iterator().next();
        assertEquals("urn:t", library.getTaglibURI());
        assertEquals("/WEB-INF/t.tld", library.getTaglibLocation());
        JspPropertyGroupDescriptor group =
                config.getJspPropertyGroups().iterator().next();
        assertEquals(List.of("*.html", "/p/*"), group.getUrlPatterns());
        assertEquals("true", group.getElIgnored());
        assertEquals("UTF-8", group.getPageEncoding());
        assertEquals(List.of("/a.jspf"), group.getIncludePreludes());
        assertEquals(List.of("/b.jspf"), group.getIncludeCodas());
        assertEquals("false", group.getTrimDirectiveWhitespaces());
        assertEquals("8kb", group.getBuffer());
        assertNull(group.getScriptingInvalid());
        assertNull(group.getErrorOnELNotFound());
        assertNull(JspElements.config(List.of()));
    }

    @Test
    void aJspPropertyGroupWithoutAUrlPatternIsReportedWithItsLine() throws Exception {
        WebXml xml = parse("""
                <web-app>
                  <jsp-config>
                    <jsp-property-group><is-xml>true</is-xml></jsp-property-group>
                  </jsp-config>
                </web-app>""");
        DeploymentException e = assertThrows(DeploymentException.class, () -> JspElements.config(xml.jspConfig()));
        assertTrue(e.getMessage().contains(":3: <jsp-property-group> lacks <url-pattern>"), e.getMessage());
    }

    @Test
    void aUrlPatternWithoutALeadingSlashIsAcceptedOnlyInOldVersions() throws Exception {
        String mapping =
                "<servlet-mapping><servlet-name>a</servlet-name><url-pattern>shop/*</url-pattern></servlet-mapping>";
        assertEquals(
                List.of("/shop/*"),
                parse("<web-app>" + mapping + "</web-app>")
                        .servletMappings()
                        .get(0)
                        .patterns());
        String message = failure("<web-app version='2.4'>" + mapping + "</web-app>");
        assertTrue(message.contains("<url-pattern> is not a URL pattern"), message);
    }

    @Test
    void theFirstOfTwoInitParametersWithTheSameNameIsUsed() throws Exception {
        WebXml xml = parse("""
                <web-app version='6.1'><servlet>
                  <servlet-name>a</servlet-name><servlet-class>A</servlet-class>
                  <init-param><param-name>p</param-name><param-value>first</param-value></init-param>
                  <init-param><param-name>p</param-name><param-value>second</param-value></init-param>
                </servlet></web-app>""");
        assertEquals(
                List.of("first"),
                xml.servlets().get(0).parameters().stream()
                        .map(WebXml.Parameter::value)
                        .toList());
    }

    @Test
    void allElementsOfAServlet61DescriptorAreRead() throws Exception {
        WebXml xml = parse(COMPLETE);

        assertTrue(xml.about().metadataComplete());
        assertTrue(xml.about().distributable());
        assertEquals(List.of("b", WebXml.Ordering.OTHERS, "a"), xml.ordering().absolute());
        assertEquals("v1", xml.contextParameters().get(0).value());

        WebXml.ServletDeclaration servlet = xml.servlets().get(0);
        assertEquals("shop", servlet.name());
        assertEquals("com.example.Shop", servlet.className());
        assertEquals(7, servlet.loadOnStartup());
        assertEquals(true, servlet.asyncSupported());
        assertEquals(new WebXml.Multipart("/tmp", 100, 200, 10), servlet.multipart());
        assertEquals("clerk", servlet.runAs());
        assertEquals(List.of(new WebXml.RoleReference("boss", "admin")), servlet.roleReferences());
        assertEquals("", servlet.parameters().get(0).value());
        assertEquals(List.of("/shop/*", "*.shop"), xml.servletMappings().get(0).patterns());

        WebXml.FilterMapping mapping = xml.filterMappings().get(0);
        assertEquals(List.of("/*"), mapping.patterns());
        assertEquals(List.of("shop"), mapping.servletNames());
        assertEquals(List.of(WebXml.Dispatcher.FORWARD, WebXml.Dispatcher.ERROR), mapping.dispatchers());

        assertEquals("com.example.Listener", xml.listeners().get(0).className());
        WebXml.Cookie cookie = xml.session().cookie();
        assertNotNull(cookie);
        assertEquals("SID", cookie.name());
        assertEquals(true, cookie.httpOnly());
        assertEquals(60, cookie.maxAge());
        assertEquals("SameSite", cookie.attributes().get(0).name());
        assertEquals(
                List.of(WebXml.Tracking.COOKIE, WebXml.Tracking.URL),
                xml.session().tracking());
        assertEquals(
                List.of("index.html", "start"),
                xml.welcomeFiles().stream().map(WebXml.Text::value).toList());
        assertEquals(404, xml.errorPages().get(0).status());
        assertEquals("java.lang.Exception", xml.errorPages().get(1).exceptionType());
        assertNull(xml.errorPages().get(2).status());
        assertEquals("text/markdown", xml.mimeMappings().get(0).type());
        assertEquals("Shift_JIS", xml.localeEncodings().get(0).encoding());
        assertEquals("UTF-8", xml.requestEncoding().value());
        assertEquals("UTF-16", xml.responseEncoding().value());
        WebXml.SecurityConstraint constraint = xml.security().constraints().get(0);
        assertEquals(List.of("admin"), constraint.roles());
        assertEquals("CONFIDENTIAL", constraint.transport());
        assertEquals(List.of("GET"), constraint.collections().get(0).methods());
        assertEquals("/login.html", xml.security().login().loginPage());
        assertEquals("admin", xml.security().roles().get(0).value());
        assertEquals(
                List.of("env-entry", "resource-ref"),
                xml.environment().stream().map(XmlElement::name).toList());
    }

    @Test
    void theLineNumberOfEachElementIsRecorded() throws Exception {
        WebXml xml = parse("""
                <web-app>
                  <listener><listener-class>L</listener-class></listener>

                  <servlet-mapping>
                    <servlet-name>a</servlet-name>
                    <url-pattern>/a</url-pattern>
                  </servlet-mapping>
                </web-app>""");
        assertEquals(new SourceLocation(FILE, 2), xml.listeners().get(0).at());
        assertEquals(new SourceLocation(FILE, 4), xml.servletMappings().get(0).at());
    }

    @ParameterizedTest
    @CsvSource({
        "/a/../b, /b",
        "/a/./b/.., /a/",
        "/../b,",
        "/error?to=/../x, /error?to=/../x",
        "/a//b c, /a//b c",
    })
    void dotSegmentsAreRemovedFromAPath(String path, String meant) throws Exception {
        String xml = "<web-app><error-page><location>" + path + "</location></error-page></web-app>";
        if (meant == null) {
            assertEquals("WEB-INF/web.xml:1: <location> leads out of the application: '" + path + "'", failure(xml));
        } else {
            assertEquals(meant, parse(xml).errorPages().get(0).location());
        }
    }

    @Test
    void dotSegmentsAreRemovedFromAUrlPattern() throws Exception {
        WebXml xml =
                parse("<web-app><servlet-mapping><servlet-name>s</servlet-name><url-pattern>/a/../b/*</url-pattern>"
                        + "<url-pattern>*.do</url-pattern></servlet-mapping></web-app>");
        assertEquals(List.of("/b/*", "*.do"), xml.servletMappings().get(0).patterns());
    }

    @Test
    void whiteSpaceAroundValuesIsIgnored() throws Exception {
        WebXml xml = parse("<web-app><servlet><servlet-name>\n\t a \r\n</servlet-name>"
                + "<servlet-class> <!-- which? --> A </servlet-class></servlet></web-app>");
        assertEquals("a", xml.servlets().get(0).name());
        assertEquals("A", xml.servlets().get(0).className());
    }

    @Test
    void anEmptyLoadOnStartupElementMeansZero() throws Exception {
        WebXml xml = parse("<web-app><servlet><servlet-name>a</servlet-name><servlet-class>A</servlet-class>"
                + "<load-on-startup/></servlet></web-app>");
        assertEquals(0, xml.servlets().get(0).loadOnStartup());
    }

    @Test
    void anAuthConstraintWithoutRolesDiffersFromAMissingAuthConstraint() throws Exception {
        WebXml xml = parse("""
                <web-app>
                  <security-constraint>
                    <web-resource-collection><url-pattern>/a</url-pattern></web-resource-collection>
                    <auth-constraint/>
                  </security-constraint>
                  <security-constraint>
                    <web-resource-collection><url-pattern>/b</url-pattern></web-resource-collection>
                  </security-constraint>
                </web-app>""");
        assertEquals(List.of(), xml.security().constraints().get(0).roles());
        assertNull(xml.security().constraints().get(1).roles());
    }

    @Test
    void anEmptyAbsoluteOrderingDiffersFromAMissingAbsoluteOrdering() throws Exception {
        assertEquals(
                List.of(),
                parse("<web-app><absolute-ordering/></web-app>").ordering().absolute());
        assertNull(parse("<web-app/>").ordering().absolute());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <servlet><servlet-nam>a</servlet-nam></servlet>             | <servlet-nam> is not an element of <servlet>
            <servelt/>                                                  | <servelt> is not an element of <web-app>
            <servlet><servlet-class>A</servlet-class></servlet>         | <servlet> lacks <servlet-name>
            <servlet><servlet-name/></servlet>                          | <servlet-name> is empty
            <servlet-mapping><servlet-name>a</servlet-name></servlet-mapping> | <servlet-mapping> lacks <url-pattern>
            <session-config><session-timeout>long</session-timeout></session-config> | <session-timeout> must be a whole number, not 'long'
            <session-config/><session-config/>                          | <session-config> only one is allowed inside <web-app>
            <error-page><error-code>404</error-code><location>x</location></error-page> | <location> must start with '/', not 'x'
            <listener/>                                                 | <listener> lacks <listener-class>
            <security-constraint><web-resource-collection><url-pattern>/</url-pattern><http-method>GET</http-method><http-method-omission>PUT</http-method-omission></web-resource-collection></security-constraint> | <web-resource-collection> has both <http-method> and <http-method-omission>
            <request-character-encoding>utf-99</request-character-encoding> | <request-character-encoding> names no character encoding of this Java runtime: 'utf-99'
            <filter-mapping><filter-name>f</filter-name><url-pattern>/*</url-pattern><dispatcher>request</dispatcher></filter-mapping> | <dispatcher> must be one of [FORWARD, INCLUDE, REQUEST, ASYNC, ERROR], not 'request'
            """)
    void anErrorIsReportedWithItsFileAndLineAndElement(String element, String message) {
        assertEquals(FILE + ":2: " + message, failure("<web-app>\n" + element + "\n</web-app>"));
    }

    @Test
    void anInvalidUrlPatternIsReportedWithItsLine() {
        String message = failure("""
                <web-app version="6.1">
                  <servlet-mapping>
                    <servlet-name>a</servlet-name>
                    <url-pattern>a/b</url-pattern>
                  </servlet-mapping>
                </web-app>""");
        assertTrue(message.startsWith(FILE + ":4: <url-pattern> is not a URL pattern"), message);
    }

    @Test
    void malformedXmlIsReportedInASingleLineWithTheLineNumberOfTheError() {
        String message = failure("<web-app>\n<servlet>\n</web-app>");
        assertTrue(message.startsWith(FILE + ":3: not well-formed XML: "), message);
        assertFalse(message.contains("\n"), message);
    }

    @Test
    void aDescriptorOfZeroBytesDeclaresNothing() throws Exception {
        WebXml xml = WebXmlParser.application(FILE, InputStream.nullInputStream());
        assertEquals(List.of(), xml.servlets());
        assertFalse(xml.about().metadataComplete());
        assertEquals(
                List.of(),
                WebXmlParser.fragment(FILE, InputStream.nullInputStream()).filters());
    }

    @Test
    void aDescriptorOfOnlyWhiteSpaceIsReported() {
        assertTrue(failure(" \n").startsWith(FILE), failure(" \n"));
    }

    @Test
    void anUnexpectedRootElementIsReported() {
        assertEquals(
                FILE + ":1: <beans> is not the root element that this file needs: <web-app> is expected",
                failure("<beans/>"));
    }

    @Test
    void anExternalEntityIsNeverRead(@TempDir Path folder) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "secret content");
        String message = failure("""
                <!DOCTYPE web-app [<!ENTITY x SYSTEM "%s">]>
                <web-app>
                  <display-name>&x;</display-name>
                </web-app>""".formatted(secret.toUri()));
        assertTrue(message.startsWith(FILE + ":3: "), message);
        assertFalse(message.contains("secret content"), message);
    }

    @Test
    void nestedEntitiesAreRefused() {
        String message = failure("""
                <!DOCTYPE web-app [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>
                <web-app><display-name>&b;</display-name></web-app>""");
        assertTrue(message.startsWith(FILE + ":2: "), message);
    }

    @Test
    void theNestingDepthOfElementsIsLimited() {
        String message = failure("<web-app>" + "<env-entry>".repeat(100) + "</env-entry>".repeat(100) + "</web-app>");
        assertTrue(message.contains("nested deeper than"), message);
    }

    @Test
    void theSizeOfADescriptorIsLimited() {
        String message = failure("<web-app>" + " ".repeat(XmlFile.MAX_BYTES) + "</web-app>");
        assertTrue(message.contains("larger than"), message);
    }

    @Test
    void theNameAndTheOrderingOfAFragmentAreRead() throws Exception {
        WebXml xml = WebXmlParser.fragment("f.xml", new ByteArrayInputStream("""
                <web-fragment>
                  <name>F</name>
                  <ordering><after><name>G</name></after><before><others/></before></ordering>
                </web-fragment>""".getBytes(StandardCharsets.UTF_8)));
        assertEquals("F", xml.about().name());
        assertEquals(List.of("G"), xml.ordering().after());
        assertEquals(Set.of(WebXml.Ordering.OTHERS), Set.copyOf(xml.ordering().before()));
    }

    private static final String COMPLETE = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1" metadata-complete="true">
              <absolute-ordering><name>b</name><others/><name>a</name></absolute-ordering>
              <distributable/>
              <context-param>
                <description>first</description><param-name>p1</param-name><param-value>v1</param-value>
              </context-param>
              <filter>
                <filter-name>f</filter-name><filter-class>com.example.F</filter-class>
                <async-supported>true</async-supported>
              </filter>
              <filter-mapping>
                <filter-name>f</filter-name><url-pattern>/*</url-pattern><servlet-name>shop</servlet-name>
                <dispatcher>FORWARD</dispatcher><dispatcher>ERROR</dispatcher>
              </filter-mapping>
              <listener><listener-class>com.example.Listener</listener-class></listener>
              <servlet>
                <servlet-name>shop</servlet-name>
                <servlet-class>com.example.Shop</servlet-class>
                <init-param><param-name>empty</param-name><param-value/></init-param>
                <load-on-startup>7</load-on-startup>
                <async-supported>true</async-supported>
                <run-as><role-name>clerk</role-name></run-as>
                <security-role-ref><role-name>boss</role-name><role-link>admin</role-link></security-role-ref>
                <multipart-config>
                  <location>/tmp</location><max-file-size>100</max-file-size>
                  <max-request-size>200</max-request-size><file-size-threshold>10</file-size-threshold>
                </multipart-config>
              </servlet>
              <servlet-mapping>
                <servlet-name>shop</servlet-name><url-pattern>/shop/*</url-pattern><url-pattern>*.shop</url-pattern>
              </servlet-mapping>
              <session-config>
                <session-timeout>20</session-timeout>
                <cookie-config>
                  <name>SID</name><http-only>true</http-only><secure>false</secure><max-age>60</max-age>
                  <attribute>
                    <attribute-name>SameSite</attribute-name><attribute-value>Lax</attribute-value>
                  </attribute>
                </cookie-config>
                <tracking-mode>COOKIE</tracking-mode><tracking-mode>URL</tracking-mode>
              </session-config>
              <mime-mapping><extension>md</extension><mime-type>text/markdown</mime-type></mime-mapping>
              <welcome-file-list><welcome-file>index.html</welcome-file></welcome-file-list>
              <welcome-file-list><welcome-file>start</welcome-file></welcome-file-list>
              <error-page><error-code>404</error-code><location>/404.html</location></error-page>
              <error-page>
                <exception-type>java.lang.Exception</exception-type><location>/oops.html</location>
              </error-page>
              <error-page><location>/any.html</location></error-page>
              <security-constraint>
                <web-resource-collection>
                  <web-resource-name>all</web-resource-name><url-pattern>/admin/*</url-pattern>
                  <http-method>GET</http-method>
                </web-resource-collection>
                <auth-constraint><role-name>admin</role-name></auth-constraint>
                <user-data-constraint><transport-guarantee>CONFIDENTIAL</transport-guarantee></user-data-constraint>
              </security-constraint>
              <login-config>
                <auth-method>FORM</auth-method>
                <form-login-config>
                  <form-login-page>/login.html</form-login-page><form-error-page>/no.html</form-error-page>
                </form-login-config>
              </login-config>
              <security-role><role-name>admin</role-name></security-role>
              <env-entry>
                <env-entry-name>n</env-entry-name><env-entry-type>java.lang.String</env-entry-type>
                <env-entry-value>v</env-entry-value>
              </env-entry>
              <resource-ref><res-ref-name>jdbc/x</res-ref-name></resource-ref>
              <locale-encoding-mapping-list>
                <locale-encoding-mapping><locale>ja</locale><encoding>Shift_JIS</encoding></locale-encoding-mapping>
              </locale-encoding-mapping-list>
              <request-character-encoding>UTF-8</request-character-encoding>
              <response-character-encoding>UTF-16</response-character-encoding>
            </web-app>""";
}
