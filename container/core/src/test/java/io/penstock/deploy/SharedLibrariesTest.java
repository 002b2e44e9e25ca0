package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.context.DispatcherFactory;
import io.penstock.context.WebContext;
import io.penstock.deploy.application.Greeter;
import io.penstock.deploy.application.GreeterBase;
import io.penstock.deploy.application.GreeterInitializer;
import io.penstock.deploy.application.GreetingServlet;
import io.penstock.limits.ConfigurationException;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Origin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Libraries that are not in the archive of an application: those that all applications share, and those of one application. */
class SharedLibrariesTest {
    private static final String SERVICE = "META-INF/services/jakarta.servlet.ServletContainerInitializer";

    @TempDir
    Path folder;

    private Path libraries;
    private final List<WebApplication> started = new ArrayList<>();

    @BeforeEach
    void makeLibrary() throws Exception {
        libraries = Files.createDirectory(folder.resolve("lib"));
        Files.writeString(libraries.resolve("shop.properties"), "a = b");
        Packing.empty()
                .withClasses("", GreetingServlet.class, GreeterInitializer.class, Greeter.class)
                .with(SERVICE, GreeterInitializer.class.getName())
                .with("META-INF/web-fragment.xml", """
                        <web-fragment><context-param><param-name>fragment</param-name><param-value>yes</param-value>
                        </context-param></web-fragment>""")
                .with("META-INF/resources/page.html", "page")
                .archive(libraries.resolve("greet.jar"));
    }

    @AfterEach
    void stop() {
        started.forEach(WebApplication::stop);
    }

    private static Deployer deployer(String key, Object value) {
        ConfigurationSources sources =
                new ConfigurationSources().flag(key, value.toString(), new Origin.Flag("--" + key));
        return new Deployer(DeploymentServices.of(DispatcherFactory.NONE, sources.resolve()::application));
    }

    private Deployer sharing() {
        return deployer("shared-libraries", libraries);
    }

    private WebContext started(Deployer deployer, String path, Packing packing) throws Exception {
        WebApplication application = deployer.deploy(path, packing.archive(folder.resolve(path.substring(1) + ".war")));
        started.add(application);
        application.start();
        return application.context();
    }

    private static Packing application() {
        return Packing.empty().withClasses("WEB-INF/classes/", GreeterBase.class);
    }

    private static Class<?> greeter(WebContext context) throws ClassNotFoundException {
        return context.getClassLoader().loadClass(Greeter.class.getName());
    }

    @Test
    void allApplicationsHaveTheSameClassesOfTheSharedLibraries() throws Exception {
        Deployer deployer = sharing();
        WebContext shop = started(deployer, "/shop", application());
        WebContext blog = started(deployer, "/blog", application());
        assertSame(greeter(shop), greeter(blog));
        assertNotNull(shop.getClassLoader().getResource("shop.properties"));
    }

    @Test
    void theOwnClassesOfAnApplicationTakePrecedence() throws Exception {
        Deployer deployer = sharing();
        WebContext shop = started(deployer, "/shop", application());
        WebContext own = started(deployer, "/own", application().withClasses("WEB-INF/classes/", Greeter.class));
        assertNotSame(greeter(shop), greeter(own));
        assertSame(own.getClassLoader(), greeter(own).getClassLoader());
    }

    @Test
    void theLibrariesSeeTheServletApiAndNothingElseOfTheServer() throws Exception {
        ClassLoader shared = greeter(started(sharing(), "/shop", application())).getClassLoader();
        assertSame(jakarta.servlet.Servlet.class, shared.loadClass("jakarta.servlet.Servlet"));
        assertThrows(ClassNotFoundException.class, () -> shared.loadClass(Deployer.class.getName()));
    }

    @Test
    void initializersOfSharedLibrariesRunInEachApplicationButAnnotationsAndFragmentsHaveNoEffect() throws Exception {
        Deployer deployer = sharing();
        for (String path : List.of("/shop", "/blog")) {
            WebContext context = started(deployer, path, application());
            assertEquals(Set.of("GreeterBase"), context.getAttribute("greeters"));
            assertNull(context.getServletRegistration("greeting"));
            assertNull(context.getInitParameter("fragment"));
            assertNull(context.getResource("/page.html"));
        }
    }

    @Test
    void theSharedLibrariesAreClosedAfterTheApplicationsAndNotWithOne() throws Exception {
        Deployer deployer = sharing();
        WebContext shop = started(deployer, "/shop", application());
        started(deployer, "/blog", application());
        started.remove(1).stop();
        ClassLoader shared = greeter(shop).getClassLoader();
        assertNotNull(shared.loadClass(GreetingServlet.class.getName()));
        started.remove(0).stop();
        deployer.close();
        assertNull(shared.getResource(SERVICE), "the jar is still open");
        deployer.close();
    }

    @Test
    void aMissingFolderOfSharedLibrariesIsAnErrorOfTheConfiguration() {
        Path missing = folder.resolve("missing");
        String message = assertThrows(ConfigurationException.class, () -> deployer("shared-libraries", missing))
                .getMessage();
        assertTrue(message.contains("shared-libraries is not an existing folder: " + missing), message);
    }

    @Test
    void theLibrariesOfOneApplicationAreAsThoseInItsArchive() throws Exception {
        Deployer deployer = deployer("/shop:libraries", libraries);
        WebContext shop = started(deployer, "/shop", application());
        assertEquals(Set.of("GreeterBase"), shop.getAttribute("greeters"));
        assertNotNull(shop.getServletRegistration("greeting"));
        assertEquals("yes", shop.getInitParameter("fragment"));
        assertNotNull(shop.getResource("/page.html"));
        assertSame(shop.getClassLoader(), greeter(shop).getClassLoader());
        WebContext blog = started(deployer, "/blog", Packing.empty().with("WEB-INF/web.xml", "<web-app/>"));
        assertThrows(ClassNotFoundException.class, () -> greeter(blog));
    }

    @Test
    void aMissingFolderOfOneApplicationIsAnErrorOfItsDeployment() {
        Path missing = folder.resolve("missing");
        String message = assertThrows(
                        DeploymentException.class,
                        () -> started(deployer("/shop:libraries", missing), "/shop", application()))
                .getMessage();
        assertTrue(message.endsWith("libraries: no such folder: " + missing + " (from --/shop:libraries)"), message);
    }
}
