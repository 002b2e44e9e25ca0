package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.context.DispatcherFactory;
import io.penstock.context.ServletHolder;
import io.penstock.deploy.application.GreetingServlet;
import io.penstock.deploy.application.GuardedServlet;
import io.penstock.deploy.application.InjectedServlet;
import io.penstock.deploy.application.NeedyListener;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the injection of values into the fields of an application, and the combination of the descriptor with fragments and annotations.
 */
class ApplicationEnvironmentTest {
    private static final String CLASSES = "WEB-INF/classes/";
    private static final String WORD =
            "<env-entry><env-entry-name>word</env-entry-name><env-entry-type>java.lang.String</env-entry-type>"
                    + "<env-entry-value>%s</env-entry-value></env-entry>";

    @TempDir
    Path folder;

    private final Deployer deployer = new Deployer(DeploymentServices.of(DispatcherFactory.NONE));

    private Path war(Packing packing) throws Exception {
        return packing.archive(folder.resolve("shop.war"));
    }

    private static Packing packingWith(String webApp, String content) {
        return Packing.empty()
                .with("WEB-INF/web.xml", "<web-app version='6.1'" + webApp + ">\n" + content + "\n</web-app>")
                .withClasses(CLASSES, InjectedServlet.class);
    }

    private Object injected(WebApplication application) throws Exception {
        application.start();
        try {
            return application.context().getAttribute("asked");
        } finally {
            application.stop();
        }
    }

    @Test
    void anEnvEntryOfTheDescriptorIsInjectedIntoAField() throws Exception {
        assertEquals(
                "filled with hello", injected(deployer.deploy("/", war(packingWith("", WORD.formatted("hello"))))));
    }

    @Test
    void aFieldWithoutAnEnvEntryKeepsItsInitialValue() throws Exception {
        assertEquals("filled with nothing", injected(deployer.deploy("/", war(packingWith("", "")))));
    }

    @Test
    void anEnvEntryOfAFragmentIsUsedIfTheDescriptorHasNoSuchEntry() throws Exception {
        byte[] library = Packing.empty()
                .with("META-INF/web-fragment.xml", "<web-fragment>" + WORD.formatted("fragment") + "</web-fragment>")
                .archive();
        assertEquals(
                "filled with fragment",
                injected(deployer.deploy("/", war(packingWith("", "").with("WEB-INF/lib/a.jar", library)))));
    }

    @Test
    void annotationsAreIgnoredIfTheDescriptorIsMetadataComplete() throws Exception {
        String name = InjectedServlet.class.getName();
        String servlet = "<servlet><servlet-name>asking</servlet-name><servlet-class>" + name
                + "</servlet-class><load-on-startup>1</load-on-startup></servlet>";
        String complete = " metadata-complete='true'";
        WebApplication silent = deployer.deploy("/", war(packingWith(complete, servlet + WORD.formatted("hello"))));
        assertNull(silent.context().servlets().find("asking").runAs());
        assertEquals(Set.of(), silent.context().roles());
        assertEquals("made", injected(silent));
        String target = "<injection-target><injection-target-class>" + name
                + "</injection-target-class><injection-target-name>word</injection-target-name></injection-target>";
        String described = WORD.formatted("hello").replace("</env-entry>", target + "</env-entry>");
        String callback = "<post-construct><lifecycle-callback-class>" + name
                + "</lifecycle-callback-class><lifecycle-callback-method>filled</lifecycle-callback-method></post-construct>";
        assertEquals(
                "filled with hello",
                injected(deployer.deploy("/", war(packingWith(complete, servlet + described + callback)))));
    }

    @Test
    void rolesInAnnotationsAreUsed() throws Exception {
        WebApplication application = deployer.deploy("/", war(packingWith("", "")));
        assertEquals("teller", application.context().servlets().find("asking").runAs());
        assertTrue(application.context().roles().containsAll(Set.of("staff", "guest")));
        application.stop();
    }

    @Test
    void theRunAsRoleInTheDescriptorReplacesTheRoleInTheAnnotation() throws Exception {
        WebApplication application = deployer.deploy(
                "/",
                war(
                        packingWith(
                                "",
                                "<servlet><servlet-name>asking</servlet-name><run-as><role-name>boss</role-name></run-as></servlet>")));
        assertEquals("boss", application.context().servlets().find("asking").runAs());
        application.stop();
    }

    @Test
    void annotationsOfADeclaredServletAreReadEvenIfItsLibraryIsNotScanned() throws Exception {
        byte[] library = Packing.empty().withClasses("", InjectedServlet.class).archive();
        String servlet = "<servlet><servlet-name>listed</servlet-name><servlet-class>" + InjectedServlet.class.getName()
                + "</servlet-class></servlet>";
        WebApplication application = deployer.deploy(
                "/",
                war(Packing.empty()
                        .with("WEB-INF/web.xml", "<web-app><absolute-ordering/>" + servlet + "</web-app>")
                        .with("WEB-INF/lib/a.jar", library)));
        assertNull(application.context().servlets().find("asking"), "the excluded library must not be scanned");
        ServletHolder listed = application.context().servlets().find("listed");
        assertEquals("teller", listed.runAs());
        assertEquals(77, listed.multipart().getMaxFileSize());
        application.stop();
    }

    @Test
    void annotationsOfALibraryWithAMetadataCompleteFragmentAreIgnored() throws Exception {
        byte[] library = Packing.empty()
                .with("META-INF/web-fragment.xml", "<web-fragment metadata-complete='true'/>")
                .withClasses("", InjectedServlet.class)
                .archive();
        String servlet = "<servlet><servlet-name>listed</servlet-name><servlet-class>" + InjectedServlet.class.getName()
                + "</servlet-class><load-on-startup>1</load-on-startup></servlet>";
        WebApplication application = deployer.deploy(
                "/",
                war(Packing.empty()
                        .with("WEB-INF/web.xml", "<web-app>" + servlet + WORD.formatted("hello") + "</web-app>")
                        .with("WEB-INF/lib/a.jar", library)));
        assertNull(application.context().servlets().find("listed").runAs());
        assertNull(application.context().servlets().find("listed").multipart());
        assertEquals("made", injected(application));
    }

    @Test
    void theStartFailsIfNothingIsBoundToAResource() throws Exception {
        Path war = war(Packing.empty().withClasses(CLASSES, NeedyListener.class));
        WebApplication application = deployer.deploy("/", war);
        String message =
                assertThrows(DeploymentException.class, application::start).getMessage();
        String name = NeedyListener.class.getName();
        assertEquals(
                war + ": does not start: " + name + ".orders: nothing is bound to the resource '" + name
                        + "/orders' (javax.sql.DataSource)",
                message);
    }

    @Test
    void anAbstractServletClassIsReportedWithTheLineOfItsDeclaration() throws Exception {
        Path war = war(
                Packing.empty()
                        .with(
                                "WEB-INF/web.xml",
                                "<web-app>\n<servlet><servlet-name>s</servlet-name>"
                                        + "<servlet-class>jakarta.servlet.http.HttpServlet</servlet-class></servlet></web-app>"));
        assertEquals(
                war + ": WEB-INF/web.xml:2: servlet class jakarta.servlet.http.HttpServlet is abstract",
                assertThrows(DeploymentException.class, () -> deployer.deploy("/", war))
                        .getMessage());
    }

    @Test
    void anInvalidFragmentIsIgnoredIfTheDescriptorIsMetadataComplete() throws Exception {
        byte[] library = Packing.empty()
                .with("META-INF/web-fragment.xml", "<web-fragment><nonsense/></web-fragment>")
                .archive();
        deployer.deploy("/", war(packingWith(" metadata-complete='true'", "").with("WEB-INF/lib/a.jar", library)))
                .stop();
    }

    @Test
    void theEffectiveDescriptorShowsTheOriginOfEachElement() throws Exception {
        byte[] library = Packing.empty()
                .with("META-INF/web-fragment.xml", """
                        <web-fragment><name>lib</name>
                        <servlet><servlet-name>described</servlet-name>
                        <load-on-startup>4</load-on-startup></servlet>
                        </web-fragment>""")
                .withClasses("", GreetingServlet.class)
                .archive();
        Path war = war(packingWith("", """
                <context-param><param-name>a</param-name><param-value>&lt;b&gt;</param-value></context-param>
                <servlet><servlet-name>described</servlet-name><servlet-class>Missing</servlet-class></servlet>
                <data-source><name>db</name><password>secret</password></data-source>""").with("WEB-INF/lib/a.jar", library));
        String text = deployer.effectiveDescriptor("/", war);
        assertContains(text, "<context-param> <!-- WEB-INF/web.xml:2 -->");
        assertContains(text, "<param-value>&lt;b&gt;</param-value>");
        assertContains(text, "<servlet> <!-- WEB-INF/web.xml:3 -->");
        assertContains(
                text, "<load-on-startup>4</load-on-startup> <!-- WEB-INF/lib/a.jar!/META-INF/web-fragment.xml:2 -->");
        String file = GreetingServlet.class.getName().replace('.', '/') + ".class";
        assertContains(text, "<servlet> <!-- WEB-INF/lib/a.jar!/" + file + " -->");
        assertContains(text, "<!-- libraries in their order: a.jar -->");
        assertContains(text, "<password>*****</password>");
        assertFalse(text.contains("secret"), text);
        WebXml again = WebXmlParserTest.parse(text);
        assertEquals(
                Set.of("described", "asking", "greeting"),
                again.servlets().stream().map(WebXml.ServletDeclaration::name).collect(Collectors.toSet()),
                "the servlets of the effective descriptor, after it is parsed again");
    }

    @Test
    void theEffectiveDescriptorHidesValuesWhoseNamesSuggestASecret() throws Exception {
        String text = deployer.effectiveDescriptor("/", war(packingWith("", """
                <context-param><param-name>mail.password</param-name><param-value>one</param-value></context-param>
                <env-entry><env-entry-name>apiKey</env-entry-name><env-entry-type>java.lang.String</env-entry-type>
                <env-entry-value>two</env-entry-value></env-entry>
                <data-source><name>db</name>
                <property><name>sslPassword</name><value>three</value></property>
                <property><name>ssl</name><value>on</value></property></data-source>""")));
        assertContains(text, "<param-value>*****</param-value>");
        assertContains(text, "<env-entry-value>*****</env-entry-value>");
        assertContains(text, "<value>*****</value>");
        assertContains(text, "<value>on</value>");
        for (String secret : List.of("one", "two", "three")) {
            assertFalse(text.contains(">" + secret + "<"), text);
        }
    }

    @Test
    void theEffectiveDescriptorShowsTheSecurityAnnotationsOfServlets() throws Exception {
        String text =
                deployer.effectiveDescriptor("/", war(Packing.empty().withClasses(CLASSES, GuardedServlet.class)));
        assertContains(
                text,
                "<!-- @ServletSecurity(value = (rolesAllowed = {staff})) of " + GuardedServlet.class.getName()
                        + ", for its URL patterns that are in no <security-constraint> -->");
        String complete = deployer.effectiveDescriptor(
                "/",
                war(Packing.empty()
                        .with("WEB-INF/web.xml", "<web-app metadata-complete='true'/>")
                        .withClasses(CLASSES, GuardedServlet.class)));
        assertFalse(complete.contains("@ServletSecurity"), complete);
    }

    private static void assertContains(String text, String part) {
        assertTrue(text.contains(part), () -> part + "\nis not in\n" + text);
    }
}
