package io.penstock.deploy;

import static io.penstock.PromptWaits.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.context.ContextLookup;
import io.penstock.context.DispatcherFactory;
import io.penstock.context.Encodings;
import io.penstock.context.ErrorPages;
import io.penstock.context.OpenWebSockets;
import io.penstock.context.SecuritySettings;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.deploy.application.Greeter;
import io.penstock.deploy.application.GreeterBase;
import io.penstock.deploy.application.GreeterInitializer;
import io.penstock.deploy.application.GreetingServlet;
import io.penstock.deploy.application.GuardedServlet;
import io.penstock.deploy.application.LazyFailureListener;
import io.penstock.deploy.application.LoudGreeter;
import io.penstock.deploy.application.MisguardedServlet;
import io.penstock.deploy.application.NonBlockingServlet;
import io.penstock.deploy.application.OptionalInitializer;
import io.penstock.deploy.application.PlainServlet;
import io.penstock.deploy.application.StartListener;
import io.penstock.deploy.application.ThrowingListener;
import io.penstock.deploy.application.TimingFilter;
import io.penstock.deploy.application.UndeclaringListener;
import io.penstock.environment.EnvironmentProvider;
import io.penstock.files.SmallFiles;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.Version;
import io.penstock.limits.Configuration;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Origin;
import io.penstock.security.Logins;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the deployment of WAR files, of unpacked applications and of contexts that are defined in code. */
class DeployerTest {
    private static final String CLASSES = "WEB-INF/classes/";

    @TempDir
    Path folder;

    private Path temporary;
    private Deployer deployer;

    @BeforeEach
    void setUp() throws Exception {
        temporary = Files.createDirectory(folder.resolve("temporary"));
        deployer = new Deployer(new DeploymentServices(
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
                temporary));
    }

    private Path war(Packing packing) throws Exception {
        return packing.archive(folder.resolve("shop.war"));
    }

    private static Packing annotatedApplication() {
        return Packing.empty()
                .with("index.html", "hi")
                .withClasses(CLASSES, GreetingServlet.class, TimingFilter.class, StartListener.class);
    }

    private static Packing withDescriptor(String content) {
        return Packing.empty().with("WEB-INF/web.xml", "<web-app version='6.1'>\n" + content + "\n</web-app>");
    }

    private String failure(Packing packing) throws Exception {
        Path war = war(packing);
        String message = assertThrows(DeploymentException.class, () -> deployer.deploy("/", war))
                .getMessage();
        assertFalse(message.contains("\n"), message);
        assertTrue(message.startsWith(war + ": "), message);
        assertTemporaryFolderIsEmpty();
        return message.substring((war + ": ").length());
    }

    private void assertTemporaryFolderIsEmpty() throws Exception {
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void annotationsOfAWarWithoutADescriptorAreUsed() throws Exception {
        WebApplication application = deployer.deploy("/shop", war(annotatedApplication()));
        application.start();
        ServletRegistration greeting = application.context().getServletRegistration("greeting");
        assertEquals(Set.of("/greet", "/greet/*"), Set.copyOf(greeting.getMappings()));
        assertEquals("hello", greeting.getInitParameter("word"));
        assertNotNull(application.context().getFilterRegistration(TimingFilter.class.getName()));
        assertEquals("/shop", application.context().getContextPath());
        assertEquals(
                Set.of("/"),
                Set.copyOf(
                        application.context().getServletRegistration("default").getMappings()));
        assertNotNull(application.context().getResource("/index.html"));
        File temp = (File) application.context().getAttribute("jakarta.servlet.context.tempdir");
        assertTrue(temp.isDirectory(), temp.toString());

        application.stop();
        assertTemporaryFolderIsEmpty();
        application.stop();
    }

    @Test
    void aListenerRunsWithTheClassLoaderOfTheApplicationAsContextClassLoader() throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        WebApplication application = deployer.deploy("/", war(annotatedApplication()));
        application.start();
        assertSame(application.context().getClassLoader(), application.context().getAttribute("started-with"));
        assertSame(before, Thread.currentThread().getContextClassLoader());
        application.stop();
        assertSame(before, Thread.currentThread().getContextClassLoader());
    }

    @Test
    void anUnpackedApplicationIsServedFromItsFolder() throws Exception {
        Path root = annotatedApplication().folder(folder.resolve("exploded"));
        WebApplication application = deployer.deploy("/", root);
        application.start();
        assertEquals(
                root.resolve("index.html").toRealPath().toString(),
                application.context().getRealPath("/index.html"));
        application.stop();
        assertTrue(Files.exists(root.resolve("index.html")));
        assertTemporaryFolderIsEmpty();
    }

    @Test
    void aFolderWithoutWebInfHasOnlyTheDefaultServlet() throws Exception {
        Path root = Packing.empty().with("a.txt", "a").folder(folder.resolve("files"));
        WebApplication application = deployer.deploy("/", root);
        application.start();
        assertEquals(
                List.of("default"),
                application.context().servlets().all().stream()
                        .map(ServletHolder::name)
                        .toList());
        application.stop();
    }

    @Test
    void theDescriptorWinsOverTheAnnotations() throws Exception {
        WebApplication application =
                deployer.deploy("/", war(withDescriptor("""
                <display-name>Shop</display-name>
                <context-param><param-name>p</param-name><param-value>v</param-value></context-param>
                <servlet><servlet-name>greeting</servlet-name>
                  <init-param><param-name>word</param-name><param-value>ahoy</param-value></init-param></servlet>
                <servlet-mapping><servlet-name>greeting</servlet-name><url-pattern>/ahoy</url-pattern></servlet-mapping>
                <session-config><session-timeout>7</session-timeout></session-config>
                """).withClasses(CLASSES, GreetingServlet.class)));
        ServletRegistration greeting = application.context().getServletRegistration("greeting");
        assertEquals(GreetingServlet.class.getName(), greeting.getClassName());
        assertEquals("ahoy", greeting.getInitParameter("word"));
        assertEquals(List.of("/ahoy"), List.copyOf(greeting.getMappings()));
        assertEquals("Shop", application.context().getServletContextName());
        assertEquals("v", application.context().getInitParameter("p"));
        assertEquals(7, application.context().getSessionTimeout());
        assertEquals(6, application.context().getEffectiveMajorVersion());
        application.stop();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2.2 | <!DOCTYPE web-app PUBLIC '-//Sun Microsystems, Inc.//DTD Web Application 2.2//EN' 'x'><web-app/>",
                "2.3 | <!DOCTYPE web-app PUBLIC '-//Sun Microsystems, Inc.//DTD Web Application 2.3//EN' 'x'><web-app/>",
                "2.4 | <web-app version='2.4'/>",
                "2.5 | <web-app version='2.5'/>",
                "4.0 | <web-app version='4.0'/>",
                "6.1 | <web-app/>"
            })
    void theDescriptorDeterminesTheEffectiveServletVersion(String version, String descriptor) throws Exception {
        WebApplication application = deployer.deploy("/", war(Packing.empty().with("WEB-INF/web.xml", descriptor)));
        WebContext context = application.context();
        assertEquals(version, context.getEffectiveMajorVersion() + "." + context.getEffectiveMinorVersion());
        application.stop();
    }

    @Test
    void annotationsAreIgnoredIfTheDescriptorIsMetadataComplete() throws Exception {
        WebApplication application = deployer.deploy(
                "/",
                war(Packing.empty()
                        .with("WEB-INF/web.xml", "<web-app metadata-complete='true'/>")
                        .withClasses(CLASSES, GreetingServlet.class)));
        assertNull(application.context().getServletRegistration("greeting"));
        application.stop();
    }

    @Test
    void annotationsAndResourcesAndTheWebFragmentOfALibraryAreUsed() throws Exception {
        byte[] library = Packing.empty()
                .with("META-INF/web-fragment.xml", """
                        <web-fragment><name>lib</name>
                          <servlet><servlet-name>greeting</servlet-name><load-on-startup>9</load-on-startup></servlet>
                        </web-fragment>""")
                .with("META-INF/resources/lib.css", "css")
                .withClasses("", GreetingServlet.class)
                .archive();
        WebApplication application = deployer.deploy("/", war(withDescriptor("").with("WEB-INF/lib/lib.jar", library)));
        application.start();
        assertEquals(9, application.context().servlets().find("greeting").loadOnStartup());
        assertNotNull(application.context().getResource("/lib.css"));
        application.stop();
        assertTemporaryFolderIsEmpty();
    }

    @Test
    void annotationsOfALibraryOutsideTheAbsoluteOrderingAreIgnored() throws Exception {
        byte[] library = Packing.empty().withClasses("", GreetingServlet.class).archive();
        WebApplication application =
                deployer.deploy("/", war(withDescriptor("<absolute-ordering/>").with("WEB-INF/lib/lib.jar", library)));
        assertNull(application.context().getServletRegistration("greeting"));
        application.stop();
    }

    @Test
    void anInitializerGetsTheClassesThatImplementItsHandledType() throws Exception {
        WebApplication application = deployer.deploy(
                "/",
                war(Packing.empty()
                        .withClasses(
                                CLASSES, GreeterInitializer.class, Greeter.class, GreeterBase.class, LoudGreeter.class)
                        .with(
                                CLASSES + "META-INF/services/jakarta.servlet.ServletContainerInitializer",
                                GreeterInitializer.class.getName())));
        application.start();
        assertEquals(Set.of("GreeterBase", "LoudGreeter"), application.context().getAttribute("greeters"));
        application.stop();
    }

    /**
     * Starts an application with a library and a context parameter. The library contains an annotated servlet and a
     * {@code ServletContainerInitializer} for a type of the library.
     */
    private WebContext startedWithContextParameter(String parameter, String patterns) throws Exception {
        byte[] library = Packing.empty()
                .withClasses("", GreetingServlet.class, GreeterInitializer.class, Greeter.class, GreeterBase.class)
                .with(
                        "META-INF/services/jakarta.servlet.ServletContainerInitializer",
                        GreeterInitializer.class.getName())
                .archive();
        Packing packing = withDescriptor("<context-param><param-name>" + parameter + "</param-name><param-value>"
                        + patterns + "</param-value></context-param>")
                .with("WEB-INF/lib/lib-1.2.jar", library);
        WebApplication application = deployer.deploy("/", war(packing));
        application.start();
        return application.context();
    }

    @Test
    void annotatedServletsAndHandledTypesAreNotSearchedInALibraryExcludedFromScanning() throws Exception {
        WebContext without = startedWithContextParameter("penstock.scan.exclude", "other-*.jar,\n lib-*.jar");
        assertNull(without.getServletRegistration("greeting"));
        assertEquals(Set.of(), without.getAttribute("greeters"));
        WebContext with = startedWithContextParameter("penstock.scan.exclude", "lib-*.zip, lib");
        assertNotNull(with.getServletRegistration("greeting"));
        assertEquals(Set.of("GreeterBase"), with.getAttribute("greeters"));
    }

    @Test
    void anInitializerExcludedByAContextParameterDoesNotRun() throws Exception {
        WebContext without = startedWithContextParameter("penstock.initializers.exclude", "*.GreeterInitializer");
        assertNotNull(without.getServletRegistration("greeting"));
        assertNull(without.getAttribute("greeters"));
    }

    @Test
    void anInitializerGetsTheClassesOfItsSecondHandledTypeIfTheFirstTypeIsMissing() throws Exception {
        WebApplication application = deployer.deploy(
                "/",
                war(Packing.empty()
                        .withClasses(CLASSES, OptionalInitializer.class, Greeter.class, GreeterBase.class)
                        .with(
                                CLASSES + "META-INF/services/jakarta.servlet.ServletContainerInitializer",
                                OptionalInitializer.class.getName())));
        application.start();
        assertEquals(1, application.context().getAttribute("greeters"));
        application.stop();
    }

    @Test
    void anInitializerOfALibraryOutsideTheAbsoluteOrderingDoesNotRun() throws Exception {
        byte[] library = Packing.empty()
                .withClasses("", GreeterInitializer.class, Greeter.class, GreeterBase.class)
                .with(
                        "META-INF/services/jakarta.servlet.ServletContainerInitializer",
                        GreeterInitializer.class.getName())
                .archive();
        for (String complete : List.of("", " metadata-complete='true'")) {
            WebApplication application = deployer.deploy(
                    "/",
                    war(Packing.empty()
                            .with("WEB-INF/web.xml", "<web-app" + complete + "><absolute-ordering/></web-app>")
                            .with("WEB-INF/lib/a.jar", library)));
            application.start();
            assertNull(application.context().getAttribute("greeters"));
            application.stop();
        }
    }

    @Test
    void theDeployerDetectsAServletThatReadsTheBodyWithoutBlocking() throws Exception {
        WebApplication application = deployer.deploy(
                "/",
                war(withDescriptor("""
                <servlet><servlet-name>n</servlet-name>
                  <servlet-class>%s</servlet-class></servlet>
                <servlet><servlet-name>p</servlet-name>
                  <servlet-class>%s</servlet-class></servlet>
                """.formatted(NonBlockingServlet.class.getName(), PlainServlet.class.getName()))
                        .withClasses(CLASSES, NonBlockingServlet.class, PlainServlet.class)));
        assertTrue(application.readsWithoutBlocking(
                application.context().servlets().find("n")));
        assertFalse(application.readsWithoutBlocking(
                application.context().servlets().find("p")));
        application.stop();
    }

    @Test
    void aMissingArchiveIsReported() {
        Path missing = folder.resolve("missing.war");
        DeploymentException e = assertThrows(DeploymentException.class, () -> deployer.deploy("/", missing));
        assertEquals(missing + ": no such file or folder", e.getMessage());
    }

    @Test
    void aFileThatIsNotAWarIsReported() throws Exception {
        Path file = Files.writeString(folder.resolve("notes.txt"), "no zip");
        DeploymentException e = assertThrows(DeploymentException.class, () -> deployer.deploy("/", file));
        assertTrue(e.getMessage().startsWith(file + ": is not a WAR"), e.getMessage());
        assertTemporaryFolderIsEmpty();
    }

    @Test
    void anArchiveIsRefusedAndCountedIfItsUnpackedSizeExceedsTheLimit() throws Exception {
        Counters counters = new Counters();
        ConfigurationSources sources = new ConfigurationSources();
        sources.flag("unpacked-limit", "1M", new Origin.Code());
        deployer = new Deployer(new DeploymentServices(
                DispatcherFactory.NONE,
                ContextLookup.NONE,
                Runnable::run,
                InstantSource.system(),
                ServerSessionStores.inMemory(),
                EnvironmentProvider.ENTRIES_ONLY,
                new SmallFiles(0),
                Encodings.NONE,
                Logins.none(),
                sources.resolve()::application,
                counters,
                OpenWebSockets.unlimited(),
                temporary));
        assertEquals(
                "unpacks to more than 1048576 bytes (unpacked-limit)",
                failure(withDescriptor("").with("big", new byte[2 << 20])));
        assertEquals(1, counters.value(Counter.ARCHIVES_TOO_LARGE));
        deployer.deploy("/", war(withDescriptor("").with("big", new byte[1 << 19])))
                .stop();
    }

    @Test
    void aMalformedDescriptorIsReportedWithTheLineOfTheError() throws Exception {
        assertTrue(failure(withDescriptor("<servlet>")).startsWith("WEB-INF/web.xml:3: not well-formed XML"));
    }

    @Test
    void aMissingServletClassIsReportedWithTheLineOfItsDeclaration() throws Exception {
        assertEquals(
                "WEB-INF/web.xml:2: servlet class com.example.Nowhere is not in the application",
                failure(
                        withDescriptor(
                                "<servlet><servlet-name>a</servlet-name><servlet-class>com.example.Nowhere</servlet-class></servlet>")));
    }

    @Test
    void aServletClassThatIsNotAServletIsReportedWithTheLineOfItsDeclaration() throws Exception {
        assertEquals(
                "WEB-INF/web.xml:2: servlet class java.lang.String does not implement jakarta.servlet.Servlet",
                failure(
                        withDescriptor(
                                "<servlet><servlet-name>a</servlet-name><servlet-class>java.lang.String</servlet-class></servlet>")));
    }

    @Test
    void anInvalidAnnotationIsReportedWithTheNameOfTheAnnotatedClass() throws Exception {
        String name = MisguardedServlet.class.getName();
        assertEquals(
                "WEB-INF/classes/" + name.replace('.', '/') + ".class: servlet class " + name
                        + ": @ServletSecurity: Deny semantic with rolesAllowed",
                failure(Packing.empty().withClasses(CLASSES, MisguardedServlet.class)));
    }

    @Test
    void anExceptionDuringTheStartIsReportedWithItsSourceLine() throws Exception {
        Path war = war(Packing.empty().withClasses(CLASSES, ThrowingListener.class));
        WebApplication application = deployer.deploy("/", war);
        String message =
                assertThrows(DeploymentException.class, application::start).getMessage();
        assertEquals(
                war + ": does not start: java.lang.NumberFormatException: For input string: \"no number\" (in "
                        + ThrowingListener.class.getName() + ".contextInitialized, ThrowingListener.java:"
                        + lineOfThrow() + ")",
                message);
        assertTemporaryFolderIsEmpty();
    }

    @Test
    void aCheckedExceptionThatTheApplicationDoesNotDeclareIsReportedToo() throws Exception {
        Path war = war(Packing.empty().withClasses(CLASSES, UndeclaringListener.class));
        WebApplication application = deployer.deploy("/", war);
        String message =
                assertThrows(DeploymentException.class, application::start).getMessage();
        assertTrue(message.startsWith(war + ": does not start: java.io.IOException: no such file (in "), message);
        assertTemporaryFolderIsEmpty();
    }

    /** Returns the line of {@code ThrowingListener.java} that throws the exception. */
    private static int lineOfThrow() {
        NumberFormatException thrown =
                assertThrows(NumberFormatException.class, () -> new ThrowingListener().contextInitialized(null));
        return Stream.of(thrown.getStackTrace())
                .filter(frame -> frame.getClassName().equals(ThrowingListener.class.getName()))
                .findFirst()
                .orElseThrow()
                .getLineNumber();
    }

    @Test
    void theResourcesOfAnApplicationAreClosedOnceIfTheStartFails() throws Exception {
        AtomicInteger closed = new AtomicInteger();
        WebApplication application = new WebApplication(
                "shop",
                deployer.deploy("/", war(Packing.empty())).context(),
                Logins.none(),
                List.of(context -> {
                    throw new ServletException("not today");
                }),
                Map.of(),
                List.of(closed::incrementAndGet));
        assertThrows(DeploymentException.class, application::start);
        application.stop();
        assertEquals(1, closed.get());
    }

    @Test
    void theTextOfAnExceptionCanNeedClassesOfTheApplication() throws Exception {
        Path war = war(Packing.empty()
                .withClasses(
                        CLASSES,
                        LazyFailureListener.class,
                        LazyFailureListener.Failure.class,
                        LazyFailureListener.Reason.class));
        WebApplication application = deployer.deploy("/", war);
        String message =
                assertThrows(DeploymentException.class, application::start).getMessage();
        assertTrue(message.contains("the reason"), message);
        assertTemporaryFolderIsEmpty();
    }

    @Test
    void aStartThatFailsWithACycleOfCausesEnds() throws Exception {
        WebApplication application = new WebApplication(
                "shop",
                deployer.deploy("/", war(Packing.empty())).context(),
                Logins.none(),
                List.of(context -> {
                    IllegalStateException outer = new IllegalStateException("outer");
                    outer.initCause(new IllegalArgumentException("inner", outer));
                    throw outer;
                }),
                Map.of(),
                List.of());
        String message = assertTimeoutPreemptively(
                        PATIENCE, () -> assertThrows(DeploymentException.class, application::start))
                .getMessage();
        assertTrue(message.contains("inner"), message);
    }

    @Test
    void anErrorOfOneListenerOrFilterAtTheStopDoesNotKeepTheOthersAndTheFiles() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        ServletContextListener first = new ServletContextListener() {
            @Override
            public void contextDestroyed(ServletContextEvent event) {
                ended.incrementAndGet();
            }
        };
        ServletContextListener second = new ServletContextListener() {
            @Override
            public void contextDestroyed(ServletContextEvent event) {
                throw new AssertionError("a listener");
            }
        };
        Filter filter = new Filter() {
            @Override
            public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) {}

            @Override
            public void destroy() {
                throw new AssertionError("a filter");
            }
        };
        WebApplication application = deployer.deploy(new ContextDefinition(
                "/shop",
                Map.of(),
                List.of(),
                List.of(new ContextDefinition.EmbeddedFilter("f", filter, Set.of(), List.of("/*"), Map.of())),
                List.of(first, second),
                null,
                Encodings.NONE,
                ErrorPages.NONE,
                List.of(),
                EmbeddedFiles.NONE,
                SecuritySettings.NONE,
                null));
        application.start();
        application.stop();
        assertEquals(1, ended.get());
        assertTemporaryFolderIsEmpty();
    }

    @Test
    void theTemporaryFolderOfAContextIsDeletedAfterAnUnexpectedFailure() throws Exception {
        Deployer failing = new Deployer(new DeploymentServices(
                DispatcherFactory.NONE,
                ContextLookup.NONE,
                Runnable::run,
                InstantSource.system(),
                ServerSessionStores.inMemory(),
                declarations -> {
                    throw new IllegalStateException("a bug of the program");
                },
                new SmallFiles(0),
                Encodings.NONE,
                Logins.none(),
                Configuration.defaults()::application,
                new Counters(),
                OpenWebSockets.unlimited(),
                temporary));
        ContextDefinition definition = ContextDefinition.of("/shop", List.of(), List.of());
        assertThrows(IllegalStateException.class, () -> failing.deploy(definition));
        assertTemporaryFolderIsEmpty();
    }

    @Test
    void aListenerClassThatImplementsNoListenerInterfaceIsReported() throws Exception {
        String message =
                failure(withDescriptor("<listener><listener-class>java.lang.String</listener-class></listener>"));
        assertTrue(message.startsWith("WEB-INF/web.xml:2: listener class java.lang.String"), message);
    }

    @Test
    void anInvalidLoginConfigurationIsReportedWithItsLine() throws Exception {
        String login = "<login-config><auth-method>%s</auth-method>%s</login-config>";
        assertEquals(
                "WEB-INF/web.xml:2: <auth-method> must be BASIC, DIGEST, FORM or CLIENT-CERT, not 'KERBEROS'",
                failure(withDescriptor(login.formatted("KERBEROS", ""))));
        String pages = "<form-login-config><form-login-page>login.html</form-login-page>"
                + "<form-error-page>/error.html</form-error-page></form-login-config>";
        for (String form : List.of("", pages)) {
            assertEquals(
                    "WEB-INF/web.xml:2: FORM needs <form-login-page> and <form-error-page> in a <form-login-config>, each"
                            + " beginning with /",
                    failure(withDescriptor(login.formatted("FORM", form))));
        }
        deployer.deploy("/", war(withDescriptor(login.formatted("basic", "")))).stop();
    }

    @Test
    void theSecurityGuardIsAvailableOnlyAfterTheStartOfTheApplication() throws Exception {
        WebApplication application =
                deployer.deploy("/", war(Packing.empty().withClasses(CLASSES, GuardedServlet.class)));
        assertThrows(IllegalStateException.class, application::guard);
        application.start();
        RequestHead head = new RequestHead("GET", RequestTarget.origin("/guarded"), Version.HTTP_1_1, Fields.EMPTY);
        assertNull(application.guard().atHead(head, "/other"));
        application.stop();
    }

    @Test
    void aUrlPatternOfTwoServletsIsReportedWithTheLinesOfBothMappings() throws Exception {
        String name = PlainServlet.class.getName();
        assertEquals(
                "WEB-INF/web.xml:5: URL pattern '/x' of the servlet 'b' is already mapped to 'a' (WEB-INF/web.xml:4)",
                failure(withDescriptor("""
                        <servlet><servlet-name>a</servlet-name><servlet-class>%s</servlet-class></servlet>
                        <servlet><servlet-name>b</servlet-name><servlet-class>%s</servlet-class></servlet>
                        <servlet-mapping><servlet-name>a</servlet-name><url-pattern>/x</url-pattern></servlet-mapping>
                        <servlet-mapping><servlet-name>b</servlet-name><url-pattern>/x</url-pattern></servlet-mapping>""".formatted(name, name)).withClasses(CLASSES, PlainServlet.class)));
    }

    @Test
    void aMappingOfAnUndeclaredServletIsReported() throws Exception {
        assertEquals(
                "WEB-INF/web.xml:2: mapping of a servlet that is not declared: 'a'",
                failure(
                        withDescriptor(
                                "<servlet-mapping><servlet-name>a</servlet-name><url-pattern>/</url-pattern></servlet-mapping>")));
    }

    @Test
    void theDefaultServletCanBeMappedByName() throws Exception {
        WebApplication application = deployer.deploy(
                "/",
                war(
                        withDescriptor(
                                "<servlet-mapping><servlet-name>default</servlet-name><url-pattern>/css/*</url-pattern></servlet-mapping>")));
        assertTrue(application
                .context()
                .getServletRegistration("default")
                .getMappings()
                .contains("/css/*"));
        application.stop();
    }

    @Test
    void anInvalidContextPathIsRefused() throws Exception {
        Path war = war(annotatedApplication());
        assertThrows(DeploymentException.class, () -> deployer.deploy("shop", war));
        assertThrows(DeploymentException.class, () -> deployer.deploy("/shop/", war));
        assertTemporaryFolderIsEmpty();
    }

    @Test
    void aContextCanBeDeployedWithInstancesOfServletsAndFiltersAndListeners() throws Exception {
        PlainServlet servlet = new PlainServlet();
        WebApplication application = deployer.deploy(new ContextDefinition(
                "/code",
                Map.of("p", "v"),
                List.of(new ContextDefinition.EmbeddedServlet("s", servlet, List.of("/s"), Map.of("q", "w"), null)),
                List.of(new ContextDefinition.EmbeddedFilter(
                        "f", new TimingFilter(), Set.of(), List.of("/*"), Map.of())),
                List.of(new StartListener()),
                null,
                Encodings.NONE,
                ErrorPages.NONE,
                List.of((none, context) -> context.setAttribute("initialised", "by code")),
                EmbeddedFiles.NONE,
                SecuritySettings.NONE,
                null));
        application.start();
        assertEquals("w", application.context().getServletRegistration("s").getInitParameter("q"));
        assertEquals("v", application.context().getInitParameter("p"));
        assertNotNull(application.context().getAttribute("started-with"));
        assertEquals("by code", application.context().getAttribute("initialised"));
        application.stop();
    }

    @Test
    void twoServletInstancesWithTheSameUrlPatternAreReported() {
        ContextDefinition definition = ContextDefinition.of(
                "/",
                List.of(
                        new ContextDefinition.EmbeddedServlet("a", new PlainServlet(), List.of("/s"), Map.of(), null),
                        new ContextDefinition.EmbeddedServlet("b", new PlainServlet(), List.of("/s"), Map.of(), null)),
                List.of());
        DeploymentException e = assertThrows(DeploymentException.class, () -> deployer.deploy(definition));
        assertEquals(
                "context /: URL pattern of servlet 'b' is already mapped to another servlet: [/s]", e.getMessage());
    }

    @Test
    void aServletWithoutAClassAndWithoutAJspFileIsReportedWithItsLine() throws Exception {
        WebApplication application =
                deployer.deploy("/", war(withDescriptor("<servlet><servlet-name>a</servlet-name></servlet>")));
        DeploymentException e = assertThrows(DeploymentException.class, application::start);
        assertTrue(
                e.getMessage().endsWith("WEB-INF/web.xml:2: servlet 'a' has neither <servlet-class> nor <jsp-file>"),
                e.getMessage());
        assertTemporaryFolderIsEmpty();
    }

    @Test
    void aServletWithAJspFileIsRegisteredEvenWithoutAJspEngine() throws Exception {
        WebApplication application = deployer.deploy(
                "/",
                war(withDescriptor("<servlet><servlet-name>a</servlet-name><jsp-file>/a.jsp</jsp-file></servlet>")));
        application.start();
        assertNotNull(application.context().getServletRegistration("a"));
        application.stop();
    }
}
