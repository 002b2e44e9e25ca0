package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Servlet 8.2.3: the main descriptor ({@code web.xml}) is merged with the web fragments of libraries and with annotations. */
class MergeTest {
    private static WebXml main(String content) throws DeploymentException, IOException {
        return WebXmlParserTest.parse("<web-app>" + content + "</web-app>");
    }

    private static WebXml merge(String main, String... fragments) throws DeploymentException, IOException {
        Merge merge = new Merge(main(main), new HashMap<>());
        for (int i = 0; i < fragments.length; i++) {
            String xml = "<web-fragment>" + fragments[i] + "</web-fragment>";
            merge.add(WebXmlParser.fragment(
                    "f" + i + ".xml", new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8))));
        }
        return merge.result();
    }

    private static String servlet(String name, String more) {
        return "<servlet><servlet-name>" + name + "</servlet-name>" + more + "</servlet>";
    }

    private static String mapping(String name, String pattern) {
        return "<servlet-mapping><servlet-name>" + name + "</servlet-name><url-pattern>" + pattern
                + "</url-pattern></servlet-mapping>";
    }

    private static String parameter(String element, String name, String value) {
        return "<" + element + "><param-name>" + name + "</param-name><param-value>" + value + "</param-value></"
                + element + ">";
    }

    @Test
    void aServletInTheMainDescriptorInheritsMissingValuesFromFragments() throws Exception {
        WebXml merged = merge(
                servlet("a", "<servlet-class>A</servlet-class>" + parameter("init-param", "p", "main")),
                servlet(
                        "a",
                        parameter("init-param", "p", "fragment")
                                + parameter("init-param", "q", "fragment")
                                + "<load-on-startup>4</load-on-startup>"));
        WebXml.ServletDeclaration servlet = merged.servlets().get(0);
        assertEquals(1, merged.servlets().size());
        assertEquals("A", servlet.className());
        assertEquals(4, servlet.loadOnStartup());
        assertEquals(
                List.of("main", "fragment"),
                servlet.parameters().stream().map(WebXml.Parameter::value).toList());
    }

    @Test
    void mappingsInTheMainDescriptorReplaceMappingsOfTheSameServletInFragments() throws Exception {
        WebXml merged =
                merge(mapping("a", "/main"), mapping("a", "/fragment") + mapping("b", "/b"), mapping("b", "/bb"));
        assertEquals(
                List.of("/main", "/b", "/bb"),
                merged.servletMappings().stream()
                        .map(mapping -> mapping.patterns().get(0))
                        .toList());
    }

    @Test
    void contradictoryValuesInFragmentsAreReported() {
        DeploymentException e = assertThrows(
                DeploymentException.class,
                () -> merge("", parameter("context-param", "p", "1"), parameter("context-param", "p", "2")));
        assertEquals("f1.xml:1: context parameter 'p' differs from f0.xml:1; web.xml must define it", e.getMessage());
        assertThrows(
                DeploymentException.class,
                () -> merge(
                        servlet("a", ""),
                        servlet("a", "<load-on-startup>1</load-on-startup>"),
                        servlet("a", "<load-on-startup>2</load-on-startup>")));
    }

    @Test
    void aValueInTheMainDescriptorOverridesContradictoryValuesInFragments() throws Exception {
        WebXml merged = merge(
                parameter("context-param", "p", "0"),
                parameter("context-param", "p", "1"),
                parameter("context-param", "p", "2"));
        assertEquals(
                List.of("0"),
                merged.contextParameters().stream().map(WebXml.Parameter::value).toList());
    }

    @Test
    void aListenerDeclaredInSeveralDescriptorsOccursOnceInTheMergedDescriptor() throws Exception {
        String listener = "<listener><listener-class>L</listener-class></listener>";
        assertEquals(1, merge(listener, listener, listener).listeners().size());
    }

    @Test
    void welcomeFilesOfAllDescriptorsAreUsed() throws Exception {
        WebXml merged = merge(
                "<welcome-file-list><welcome-file>a</welcome-file></welcome-file-list>",
                "<welcome-file-list><welcome-file>a</welcome-file><welcome-file>b</welcome-file></welcome-file-list>");
        assertEquals(
                List.of("a", "b"),
                merged.welcomeFiles().stream().map(WebXml.Text::value).toList());
    }

    @Test
    void anApplicationIsDistributableOnlyIfAllItsDescriptorsAreDistributable() throws Exception {
        assertTrue(merge("<distributable/>", "<distributable/>").about().distributable());
        assertFalse(merge("<distributable/>", "").about().distributable());
        assertFalse(merge("", "<distributable/>").about().distributable());
    }

    @Test
    void theDescriptorWinsOverAnnotations() throws Exception {
        WebXml annotations =
                main(servlet("a", "<servlet-class>Annotated</servlet-class><load-on-startup>1</load-on-startup>")
                        + mapping("a", "/annotated"));
        WebXml merged = Merge.withAnnotations(
                main(servlet("a", "<servlet-class>A</servlet-class>") + mapping("a", "/main")),
                annotations,
                new HashMap<>());
        assertEquals("A", merged.servlets().get(0).className());
        assertEquals(1, merged.servlets().get(0).loadOnStartup());
        assertEquals(List.of("/main"), merged.servletMappings().get(0).patterns());
        assertEquals(1, merged.servletMappings().size());
    }

    @Test
    void contradictoryLoginConfigurationsOfFragmentsAreRefusedUnlessWebXmlHasALoginConfiguration() throws Exception {
        String basic = "<login-config><auth-method>BASIC</auth-method></login-config>";
        String digest = "<login-config><auth-method>DIGEST</auth-method></login-config>";
        assertEquals("BASIC", merge("", basic, basic).security().login().method());
        assertEquals("DIGEST", merge(digest, basic, digest).security().login().method());
        assertThrows(DeploymentException.class, () -> merge("", basic, digest));
    }

    @Test
    void aListenerDeclaredTwiceInTheMainDescriptorOccursOnceInTheMergedDescriptor() throws Exception {
        String listener = "<listener><listener-class>L</listener-class></listener>";
        assertEquals(1, merge(listener + listener, listener).listeners().size());
    }

    @Test
    void theOriginOfAnInheritedValueIsRecorded() throws Exception {
        Map<String, SourceLocation> origins = new HashMap<>();
        Merge merge = new Merge(main(servlet("a", "<servlet-class>A</servlet-class>")), origins);
        merge.add(WebXmlParser.fragment(
                "f.xml",
                new ByteArrayInputStream(
                        ("<web-fragment>\n" + servlet("a", "<load-on-startup>4</load-on-startup>") + "</web-fragment>")
                                .getBytes(StandardCharsets.UTF_8))));
        assertEquals(Map.of("servlet 'a': load-on-startup", new SourceLocation("f.xml", 2)), origins);
    }
}
