package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.context.DispatcherFactory;
import io.penstock.context.Encodings;
import io.penstock.context.ErrorPages;
import io.penstock.context.SecuritySettings;
import io.penstock.context.WebContext;
import io.penstock.deploy.application.FailingInitializer;
import io.penstock.deploy.application.Greeter;
import io.penstock.deploy.application.GreeterBase;
import io.penstock.deploy.application.GreeterInitializer;
import io.penstock.deploy.application.GreetingServlet;
import io.penstock.deploy.application.PlainServlet;
import io.penstock.deploy.application.StartListener;
import io.penstock.deploy.application.TimingFilter;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Origin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator can change settings of an application without changing its WAR file. */
class SettingsOverridesTest {
    private static final String CLASSES = "WEB-INF/classes/";
    private static final String SERVICE = "META-INF/services/jakarta.servlet.ServletContainerInitializer";

    @TempDir
    Path folder;

    private final List<WebApplication> started = new ArrayList<>();

    @AfterEach
    void stop() {
        started.forEach(WebApplication::stop);
    }

    private static Deployer deployer(String... settings) {
        ConfigurationSources sources = new ConfigurationSources();
        for (int i = 0; i < settings.length; i += 2) {
            sources.flag(settings[i], settings[i + 1], new Origin.Flag("--" + settings[i]));
        }
        return new Deployer(DeploymentServices.of(DispatcherFactory.NONE, sources.resolve()::application));
    }

    private WebContext started(Packing packing, String... settings) throws Exception {
        Path war = packing.archive(folder.resolve("shop.war"));
        WebApplication application = deployer(settings).deploy("/shop", war);
        started.add(application);
        application.start();
        return application.context();
    }

    private String failure(Packing packing, String... settings) {
        String message = assertThrows(DeploymentException.class, () -> started(packing, settings))
                .getMessage();
        return message.substring((folder.resolve("shop.war") + ": ").length());
    }

    private String descriptor(Packing packing, String... settings) throws Exception {
        return deployer(settings).effectiveDescriptor("/shop", packing.archive(folder.resolve("shop.war")));
    }

    private static Packing withFailingInitializer() {
        return Packing.empty()
                .withClasses(CLASSES, FailingInitializer.class, PlainServlet.class)
                .with(CLASSES + SERVICE, "# other container\n" + FailingInitializer.class.getName());
    }

    private static Packing withUnloadableInitializer() {
        byte[] library = Packing.empty()
                .with(SERVICE, "org.eclipse.jetty.Init # no more")
                .archive();
        return Packing.empty().withClasses(CLASSES, PlainServlet.class).with("WEB-INF/lib/jetty.jar", library);
    }

    private static Packing withLibrary() {
        byte[] library = Packing.empty()
                .withClasses("", GreetingServlet.class, GreeterInitializer.class, Greeter.class, GreeterBase.class)
                .with(SERVICE, GreeterInitializer.class.getName())
                .archive();
        return Packing.empty().with("WEB-INF/lib/lib-1.2.jar", library);
    }

    @Test
    void theErrorOfAFailingInitializerContainsTheSettingThatExcludesTheInitializer() throws Exception {
        String name = FailingInitializer.class.getName();
        assertEquals(
                "does not start: java.lang.ClassCastException: not a context of that container (in " + name
                        + ".onStartup, FailingInitializer.java:11); --exclude-initializers " + name
                        + " starts the application without this initializer",
                failure(withFailingInitializer()));
        assertNotNull(started(withFailingInitializer(), "exclude-initializers", name)
                .getServletRegistration(PlainServlet.class.getName()));
        started(withFailingInitializer(), "/shop:exclude-initializers", "*.FailingInitializer");
    }

    @Test
    void theErrorOfAnUnloadableInitializerContainsTheSettingThatExcludesTheInitializer() throws Exception {
        assertEquals(
                "WEB-INF/lib/jetty.jar!/" + SERVICE
                        + ": initializer org.eclipse.jetty.Init cannot be loaded: java.lang.ClassNotFoundException:"
                        + " org.eclipse.jetty.Init; --exclude-initializers org.eclipse.jetty.Init"
                        + " starts the application without this initializer",
                failure(withUnloadableInitializer()));
        started(withUnloadableInitializer(), "exclude-initializers", "org.eclipse.jetty.*");
    }

    @Test
    void aSettingForAnotherApplicationHasNoEffect() {
        assertTrue(
                failure(withFailingInitializer(), "/other:exclude-initializers", "*")
                        .startsWith("does not start: "),
                "a setting for another application excluded the initializer");
    }

    @Test
    void aLibraryCanBeExcludedFromScanningByASetting() throws Exception {
        assertEquals(Set.of("GreeterBase"), started(withLibrary()).getAttribute("greeters"));
        for (String key : List.of("exclude-scan", "/shop:exclude-scan")) {
            WebContext without = started(withLibrary(), key, "other.jar, lib-*.jar");
            assertNull(without.getServletRegistration("greeting"));
            assertEquals(Set.of(), without.getAttribute("greeters"));
        }
    }

    private static Packing withDescriptor() {
        return Packing.empty()
                .with("WEB-INF/web.xml", """
                        <web-app version='6.1' metadata-complete='true'>
                          <display-name>shop</display-name>
                          <context-param><param-name>a</param-name><param-value>own</param-value></context-param>
                          <context-param><param-name>b</param-name><param-value>own</param-value></context-param>
                          <servlet>
                            <servlet-name>one</servlet-name>
                            <servlet-class>%1$s</servlet-class>
                            <init-param><param-name>x</param-name><param-value>own</param-value></init-param>
                            <init-param><param-name>y</param-name><param-value>own</param-value></init-param>
                          </servlet>
                          <servlet><servlet-name>two</servlet-name><servlet-class>%1$s</servlet-class></servlet>
                          <servlet-mapping><servlet-name>one</servlet-name><url-pattern>/one</url-pattern></servlet-mapping>
                          <servlet-mapping>
                            <servlet-name>two</servlet-name>
                            <url-pattern>/two</url-pattern>
                            <url-pattern>/both</url-pattern>
                          </servlet-mapping>
                          <session-config>
                            <session-timeout>20</session-timeout>
                            <cookie-config><name>SHOP</name></cookie-config>
                          </session-config>
                          <request-character-encoding>UTF-8</request-character-encoding>
                        </web-app>
                        """.formatted(PlainServlet.class.getName()))
                .withClasses(CLASSES, PlainServlet.class, StartListener.class, TimingFilter.class);
    }

    private Path override() throws Exception {
        return Files.writeString(folder.resolve("override.xml"), """
                <web-app version='3.0'>
                  <context-param><param-name>b</param-name><param-value>outside</param-value></context-param>
                  <servlet>
                    <servlet-name>one</servlet-name>
                    <init-param><param-name>y</param-name><param-value>outside</param-value></init-param>
                  </servlet>
                  <servlet-mapping>
                    <servlet-name>one</servlet-name>
                    <url-pattern>/both</url-pattern>
                  </servlet-mapping>
                  <listener><listener-class>%s</listener-class></listener>
                  <session-config><session-timeout>5</session-timeout></session-config>
                  <response-character-encoding>UTF-16</response-character-encoding>
                </web-app>
                """.formatted(StartListener.class.getName()));
    }

    @Test
    void anOverrideDescriptorWinsOverTheDescriptorOfTheApplication() throws Exception {
        WebContext context =
                started(withDescriptor(), "/shop:override-web-xml", override().toString());
        assertEquals("own", context.getInitParameter("a"));
        assertEquals("outside", context.getInitParameter("b"));
        assertEquals("own", context.getServletRegistration("one").getInitParameter("x"));
        assertEquals("outside", context.getServletRegistration("one").getInitParameter("y"));
        assertEquals(
                Set.of("/both"),
                Set.copyOf(context.getServletRegistration("one").getMappings()));
        assertEquals(
                Set.of("/two"), Set.copyOf(context.getServletRegistration("two").getMappings()));
        assertEquals(5, context.getSessionTimeout());
        assertEquals("SHOP", context.getSessionCookieConfig().getName());
        assertEquals("UTF-8", context.getRequestCharacterEncoding());
        assertEquals("UTF-16", context.getResponseCharacterEncoding());
        assertEquals("shop", context.getServletContextName());
        assertEquals(6, context.getEffectiveMajorVersion());
        assertNotNull(context.getAttribute("started-with"), "the listener of the override descriptor did not run");
    }

    @Test
    void anErrorInAnOverrideDescriptorIsReportedWithItsLine() throws Exception {
        Path bad = Files.writeString(folder.resolve("bad.xml"), "<web-app>\n<servlt/></web-app>");
        assertEquals(
                bad + ":2: <servlt> is not an element of <web-app>",
                failure(withDescriptor(), "/shop:override-web-xml", bad.toString()));
        Path missing = folder.resolve("missing.xml");
        assertEquals(
                "override-web-xml: " + missing + ": no such file",
                failure(withDescriptor(), "/shop:override-web-xml", missing.toString()));
    }

    @Test
    void theEffectiveDescriptorShowsTheOriginOfOverriddenValuesAndExclusions() throws Exception {
        Path override = override();
        String text = descriptor(
                withDescriptor(),
                "/shop:override-web-xml",
                override.toString(),
                "exclude-scan",
                "a.jar",
                "/shop:exclude-initializers",
                "x.Y");
        assertTrue(text.contains("<!-- exclude-scan: a.jar (from - -exclude-scan) -->"), text);
        assertTrue(text.contains("<!-- exclude-initializers: x.Y (from - -/shop:exclude-initializers) -->"), text);
        assertTrue(text.contains("<context-param> <!-- " + override + ":2 -->"), text);
        assertTrue(text.contains("<context-param> <!-- WEB-INF/web.xml:3 -->"), text);
    }

    @Test
    void settingsWinOverTheDescriptorAndTheOverrideDescriptor() throws Exception {
        WebContext context = started(
                withDescriptor(),
                "/shop:override-web-xml",
                override().toString(),
                "/shop:session-timeout",
                "90m",
                "/shop:context-param.b",
                "key",
                "/shop:context-param.c.d",
                "new",
                "/shop:request-encoding",
                "ISO-8859-15",
                "/shop:response-encoding",
                "utf8");
        assertEquals(90, context.getSessionTimeout());
        assertEquals("SHOP", context.getSessionCookieConfig().getName());
        assertEquals("own", context.getInitParameter("a"));
        assertEquals("key", context.getInitParameter("b"));
        assertEquals("new", context.getInitParameter("c.d"));
        assertEquals("ISO-8859-15", context.getRequestCharacterEncoding());
        assertEquals("UTF-8", context.getResponseCharacterEncoding());
    }

    @Test
    void aSessionTimeoutOfZeroIsAccepted() throws Exception {
        assertEquals(0, started(withDescriptor(), "/shop:session-timeout", "0m").getSessionTimeout());
        assertEquals(20, started(withDescriptor()).getSessionTimeout());
    }

    @Test
    void theEffectiveDescriptorContainsTheSettingThatOverridesAValue() throws Exception {
        String text = descriptor(
                withDescriptor(),
                "/shop:session-timeout",
                "90m",
                "/shop:context-param.b",
                "key",
                "/shop:request-encoding",
                "UTF-16");
        assertTrue(text.contains("<session-timeout>90</session-timeout> <!-- - -/shop:session-timeout -->"), text);
        assertTrue(text.contains("<context-param> <!-- - -/shop:context-param.b -->"), text);
        assertTrue(
                text.contains(
                        "<request-character-encoding>UTF-16</request-character-encoding> <!-- - -/shop:request-encoding -->"),
                text);
    }

    @Test
    void theEffectiveDescriptorContainsTheSettingsOfTheSessionCookie() throws Exception {
        String text = descriptor(
                Packing.empty().with("WEB-INF/web.xml", "<web-app version='6.1' metadata-complete='true'/>"),
                "session-cookie-name",
                "ALLID",
                "/shop:session-cookie-path",
                "/",
                "/shop:session-cookie-same-site",
                "strict");
        assertTrue(text.contains("<session-config> <!-- - -/shop:session-cookie-path -->"), text);
        assertTrue(text.contains("<path>/</path> <!-- - -/shop:session-cookie-path -->"), text);
        assertTrue(text.contains("<attribute-value>Strict</attribute-value>"), text);
        assertFalse(text.contains("ALLID"), text);
    }

    @Test
    void settingsWinOverValuesOfAContextThatIsDefinedInCode() throws Exception {
        ContextDefinition definition = new ContextDefinition(
                "/shop",
                Map.of("a", "code", "b", "code"),
                List.of(),
                List.of(),
                List.of(),
                10,
                Encodings.NONE,
                ErrorPages.NONE,
                List.of(),
                EmbeddedFiles.NONE,
                SecuritySettings.NONE,
                null);
        WebContext context = deployer("/shop:context-param.b", "key", "/shop:request-encoding", "UTF-16")
                .deploy(definition)
                .context();
        assertEquals("code", context.getInitParameter("a"));
        assertEquals("key", context.getInitParameter("b"));
        assertEquals(10, context.getSessionTimeout());
        assertEquals("UTF-16", context.getRequestCharacterEncoding());
        assertEquals(
                20,
                deployer("/shop:session-timeout", "20m")
                        .deploy(definition)
                        .context()
                        .getSessionTimeout());
    }
}
