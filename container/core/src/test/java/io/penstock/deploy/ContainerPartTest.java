package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.context.ContextLookup;
import io.penstock.context.DispatcherFactory;
import io.penstock.context.Encodings;
import io.penstock.context.OpenWebSockets;
import io.penstock.context.WebContext;
import io.penstock.deploy.application.GreetingServlet;
import io.penstock.deploy.application.PlainServlet;
import io.penstock.environment.EnvironmentProvider;
import io.penstock.files.SmallFiles;
import io.penstock.limits.Configuration;
import io.penstock.limits.Counters;
import io.penstock.part.ContainerPart;
import io.penstock.security.Logins;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.annotation.HandlesTypes;
import jakarta.servlet.http.HttpServlet;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests optional parts of the container, for example a JSP engine. A part adds servlets, initialisers and welcome files to all
 * applications. A part can also have shared classes and offered classes for the applications. An application can replace an offered class,
 * but not a shared class.
 */
class ContainerPartTest {
    @TempDir
    Path folder;

    /** The servlet that the part declares. */
    public static class PartServlet extends HttpServlet {}

    /** The initialiser of the part. It handles the servlet classes of the application. */
    @HandlesTypes(HttpServlet.class)
    private static final class PartInitializer implements ServletContainerInitializer {
        @Override
        public void onStartup(Set<Class<?>> types, ServletContext context) {
            context.setAttribute("seen", types == null ? Set.of() : Set.copyOf(types));
        }
    }

    private record Part(List<String> shared, List<String> offered) implements ContainerPart {
        @Override
        public List<ImplicitServlet> servlets() {
            return List.of(new ImplicitServlet("jsp", PartServlet.class, List.of("*.jsp", "*.page")));
        }

        @Override
        public List<ServletContainerInitializer> initializers() {
            return List.of(new PartInitializer());
        }

        @Override
        public List<String> welcomeFiles() {
            return List.of("index.page");
        }
    }

    private static Parts parts(List<String> shared, List<String> offered) {
        return new Parts(List.of(new Part(shared, offered)));
    }

    private WebApplication deploy(Packing packing) throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        Deployer deployer = new Deployer(
                new DeploymentServices(
                        DispatcherFactory.NONE,
                        ContextLookup.NONE,
                        Runnable::run,
                        InstantSource.system(),
                        ServerSessionStores.inMemory(),
                        EnvironmentProvider.ENTRIES_ONLY,
                        new SmallFiles(0),
                        Encodings.NONE,
                        Logins.none(),
                        Configuration.defaults()::application,
                        new Counters(),
                        OpenWebSockets.unlimited(),
                        temporary),
                parts(List.of(), List.of()));
        return deployer.deploy("/", packing.archive(folder.resolve("shop.war")));
    }

    private WebAppClassLoader loader(Packing packing, Parts parts) throws Exception {
        Path jar = packing.archive(folder.resolve("application.jar"));
        return new WebAppClassLoader(Path.of("test"), List.of(jar.toUri().toURL()), ApiLoader.ofContainer(parts));
    }

    private static Packing described(String content) {
        return Packing.empty().with("WEB-INF/web.xml", "<web-app version='6.1'>" + content + "</web-app>");
    }

    private static Map<String, ? extends jakarta.servlet.ServletRegistration> started(WebApplication application)
            throws Exception {
        application.start();
        return application.context().getServletRegistrations();
    }

    private static Set<String> mappings(WebApplication application, String servlet) {
        return new TreeSet<>(
                application.context().getServletRegistration(servlet).getMappings());
    }

    @Test
    void theServletAndTheWelcomeFilesOfAPartAreAddedToAnApplication() throws Exception {
        WebApplication application = deploy(described(""));
        started(application);
        assertEquals(Set.of("*.jsp", "*.page"), mappings(application, "jsp"));
        assertEquals(
                List.of("index.html", "index.htm", "index.page"),
                application.context().settings().welcomeFiles().names());
        application.stop();
    }

    /**
     * The part's servlet is mapped to {@code *.page}. But it can serve {@code x.page} only if the application contains the file
     * {@code x.page}. So a directory without the file {@code index.page} does not have this welcome file.
     */
    @Test
    void theMappingOfTheServletOfAPartIsIgnoredForWelcomeFiles() throws Exception {
        WebApplication application = deploy(described(
                        "<servlet><servlet-name>do</servlet-name><servlet-class>" + PlainServlet.class.getName()
                                + "</servlet-class></servlet><servlet-mapping><servlet-name>do</servlet-name>"
                                + "<url-pattern>*.do</url-pattern><url-pattern>/start/*</url-pattern></servlet-mapping>")
                .withClasses("WEB-INF/classes/", PlainServlet.class));
        started(application);
        WebContext context = application.context();
        assertTrue(context.isMapped("/sub/index.do"));
        assertTrue(context.isMapped("/start/index"));
        assertFalse(context.isMapped("/index.page"));
        assertFalse(context.isMapped("/index.html"));
        application.stop();
    }

    @Test
    void getServletRegistrationsDoesNotReturnTheServletOfAPart() throws Exception {
        WebApplication application = deploy(described(""));
        assertEquals(Map.of(), started(application));
        application.stop();
    }

    @Test
    void anApplicationCanReuseTheNameAndAUrlPatternOfTheServletOfAPart() throws Exception {
        WebApplication application = deploy(described("<servlet><servlet-name>jsp</servlet-name><servlet-class>"
                        + PlainServlet.class.getName() + "</servlet-class></servlet><servlet-mapping>"
                        + "<servlet-name>jsp</servlet-name><url-pattern>*.page</url-pattern></servlet-mapping>")
                .withClasses("WEB-INF/classes/", PlainServlet.class));
        started(application);
        assertEquals(Set.of("*.page"), mappings(application, "jsp"));
        assertEquals(Set.of("*.jsp"), mappings(application, PartServlet.class.getName()));
        application.stop();
    }

    @Test
    void aServletDeclaredWithAJspFileHasTheClassOfTheServletOfAPart() throws Exception {
        WebApplication application = deploy(described(
                "<servlet><servlet-name>a</servlet-name><jsp-file>/a.jsp</jsp-file></servlet><servlet-mapping>"
                        + "<servlet-name>a</servlet-name><url-pattern>/a</url-pattern></servlet-mapping>"));
        var servlets = started(application);
        assertEquals(PartServlet.class.getName(), servlets.get("a").getClassName());
        assertEquals("/a.jsp", servlets.get("a").getInitParameter("jspFile"));
        assertEquals(Set.of("/a"), mappings(application, "a"));
        application.stop();
    }

    @Test
    void aUrlPatternOfAJspPropertyGroupIsMappedToTheServletOfAPart() throws Exception {
        WebApplication application =
                deploy(described("<jsp-config><jsp-property-group><url-pattern>/plain</url-pattern>"
                                + "<url-pattern>*.html</url-pattern></jsp-property-group></jsp-config>")
                        .withClasses("WEB-INF/classes/", PlainServlet.class));
        started(application);
        assertEquals(Set.of("*.html", "*.jsp", "*.page", "/plain"), mappings(application, "jsp"));
        assertEquals(Set.of(), mappings(application, PlainServlet.class.getName()));
        application.stop();
    }

    @Test
    void theInitialiserOfAPartReceivesTheServletClassesOfTheApplication() throws Exception {
        WebApplication application = deploy(annotated());
        started(application);
        Set<?> seen = (Set<?>) application.context().getAttribute("seen");
        assertEquals(1, seen.size());
        assertEquals(
                application.context().getClassLoader(),
                ((Class<?>) seen.iterator().next()).getClassLoader());
        application.stop();
    }

    private static Packing annotated() {
        return Packing.empty().withClasses("WEB-INF/classes/", GreetingServlet.class);
    }

    @Test
    void anApplicationCannotReplaceASharedClassOfAPart() throws Exception {
        Parts parts = parts(List.of(PlainServlet.class.getName()), List.of());
        try (WebAppClassLoader loader = loader(Packing.empty().withClasses("", PlainServlet.class), parts)) {
            assertSame(PlainServlet.class, loader.loadClass(PlainServlet.class.getName()));
            URL file = loader.getResource(PlainServlet.class.getName().replace('.', '/') + ".class");
            assertFalse(file.toString().contains("application.jar"), file.toString());
        }
    }

    @Test
    void anOfferedClassOfAPartIsUsedOnlyIfTheApplicationDoesNotContainIt() throws Exception {
        Parts parts = parts(List.of(), List.of("io.penstock.deploy.application."));
        try (WebAppClassLoader loader = loader(Packing.empty().withClasses("", PlainServlet.class), parts)) {
            assertNotSame(PlainServlet.class, loader.loadClass(PlainServlet.class.getName()));
            assertSame(GreetingServlet.class, loader.loadClass(GreetingServlet.class.getName()));
            assertThrows(ClassNotFoundException.class, () -> loader.loadClass(WebXml.class.getName()));
        }
    }

    @Test
    void aProviderClassOfTheContainerCanBeLoadedAfterItsServiceFileHasBeenFound() throws Exception {
        String service = "META-INF/services/jakarta.websocket.test.Provider";
        try (WebAppClassLoader loader = loader(Packing.empty().with("a", "b"), Parts.NONE)) {
            assertThrows(ClassNotFoundException.class, () -> loader.loadClass(PlainServlet.class.getName()));
            assertNotNull(loader.getResource(service));
            assertSame(PlainServlet.class, loader.loadClass(PlainServlet.class.getName()));
        }
    }

    @Test
    void anApplicationCannotFindInitialisersOnTheClassPathOfTheContainer() throws Exception {
        String service = "META-INF/services/" + ServletContainerInitializer.class.getName();
        assertNotNull(
                ContainerPartTest.class.getClassLoader().getResource(service),
                "the class path of the test must contain the service file of an initialiser");
        try (WebAppClassLoader loader = loader(Packing.empty().with("a", "b"), Parts.NONE)) {
            assertNull(loader.getResource(service));
        }
    }
}
