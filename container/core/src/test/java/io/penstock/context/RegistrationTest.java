package io.penstock.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.FilterRegistration;
import jakarta.servlet.HttpConstraintElement;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.annotation.MultipartConfig;
import java.util.EnumSet;
import java.util.EventListener;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests the registration of servlets, filters and listeners by code (Servlet 6.1, section 4.4). */
final class RegistrationTest {
    private final ContextFixture fixture = new ContextFixture();
    private final WebContext context = fixture.context;

    /** A servlet with an annotation for multipart requests. */
    @MultipartConfig(location = "uploads")
    public static class Uploads extends TestServlet {
        private static final long serialVersionUID = 1L;

        public Uploads() {
            super(List.of());
        }
    }

    private Servlet servlet() {
        return new TestServlet(fixture.diary);
    }

    private static <T> T present(@Nullable T value) {
        assertNotNull(value);
        return value;
    }

    private ServletRegistration.Dynamic add(String name) {
        return present(context.addServlet(name, servlet()));
    }

    private static void assertAllRefused(Executable... calls) {
        for (Executable call : calls) {
            assertThrows(IllegalArgumentException.class, call);
        }
    }

    @Test
    void registrationsAndRolesWithoutANameAreRefused() {
        assertAllRefused(
                () -> context.addServlet(null, servlet()),
                () -> context.addServlet("", servlet()),
                () -> context.addServlet("", Uploads.class),
                () -> context.addServlet(null, "x.Y"),
                () -> context.addJspFile("", "/x.jsp"),
                () -> context.addFilter("", new TestFilter(fixture.diary)),
                () -> context.addFilter(null, "x.Y"),
                () -> context.addFilter(null, TestFilter.class),
                () -> context.declareRoles("a", ""),
                () -> context.declareRoles((String) null));
    }

    @Test
    void registrationFailsAfterTheStartOfTheContext() throws Exception {
        ServletRegistration.Dynamic servlet = add("servlet");
        FilterRegistration.Dynamic filter = present(context.addFilter("filter", new TestFilter(fixture.diary)));
        context.start();
        List<Executable> calls = List.of(
                () -> context.addServlet("a", servlet()),
                () -> context.addServlet("a", "x.Y"),
                () -> context.addServlet("a", Uploads.class),
                () -> context.addJspFile("a", "/a.jsp"),
                () -> context.addFilter("a", new TestFilter(fixture.diary)),
                () -> context.addFilter("a", "x.Y"),
                () -> context.addFilter("a", TestFilter.class),
                () -> context.addListener("x.Y"),
                () -> context.addListener(new RequestCounter()),
                () -> context.addListener(RequestCounter.class),
                () -> context.declareRoles("a"),
                () -> context.setInitParameter("a", "b"),
                () -> context.setSessionTimeout(1),
                () -> context.setSessionTrackingModes(Set.of()),
                () -> context.setRequestCharacterEncoding("UTF-8"),
                () -> context.setResponseCharacterEncoding("UTF-8"),
                () -> servlet.addMapping("/x"),
                () -> servlet.setInitParameter("a", "b"),
                () -> servlet.setInitParameters(Map.of("a", "b")),
                () -> servlet.setLoadOnStartup(1),
                () -> servlet.setAsyncSupported(true),
                () -> servlet.setRunAsRole("a"),
                () -> servlet.setMultipartConfig(new MultipartConfigElement("")),
                () -> servlet.setServletSecurity(new ServletSecurityElement()),
                () -> filter.setInitParameter("a", "b"),
                () -> filter.setAsyncSupported(true),
                () -> filter.addMappingForUrlPatterns(null, true, "/x"),
                () -> filter.addMappingForServletNames(null, true, "x"),
                () -> context.getSessionCookieConfig().setName("a"),
                () -> context.getSessionCookieConfig().setPath("/"),
                () -> context.getSessionCookieConfig().setAttribute("a", "b"));
        for (Executable call : calls) {
            assertThrows(IllegalStateException.class, call);
        }
        context.stop();
    }

    @Test
    void aNameCanBeRegisteredOnlyOnce() {
        add("a");
        assertNull(context.addServlet("a", servlet()));
        assertNull(context.addServlet("a", "x.Y"));
        present(context.addFilter("f", TestFilter.class));
        assertNull(context.addFilter("f", TestFilter.class));
    }

    @Test
    void aServletInstanceCanBeRegisteredOnlyOnce() {
        Servlet servlet = servlet();
        present(context.addServlet("a", servlet));
        assertNull(context.addServlet("b", servlet));
        assertNull(context.getServletRegistration("b"));
    }

    @Test
    void addServletCompletesAPreliminaryRegistration() {
        context.servlets().declarePreliminary("a").initParameter("k", "v");
        assertNull(present(context.getServletRegistration("a")).getClassName());
        ServletRegistration.Dynamic completed = present(context.addServlet("a", Uploads.class));
        assertEquals(Uploads.class.getName(), completed.getClassName());
        assertEquals("v", completed.getInitParameter("k"));
    }

    @Test
    void addMappingAddsNoPatternIfOneOfThePatternsBelongsToAnotherServlet() {
        assertEquals(Set.of(), add("a").addMapping("/x", "/y"));
        ServletRegistration.Dynamic second = add("b");
        assertEquals(Set.of("/x"), second.addMapping("/x", "/z"));
        assertEquals(List.of(), List.copyOf(second.getMappings()));
        assertEquals(Set.of(), second.addMapping("/z"));
    }

    @Test
    void missingAndInvalidUrlPatternsAreRefused() {
        ServletRegistration.Dynamic servlet = add("a");
        FilterRegistration.Dynamic filter = present(context.addFilter("f", TestFilter.class));
        assertAllRefused(
                servlet::addMapping,
                () -> servlet.addMapping((String[]) null),
                () -> servlet.addMapping("/ok", null),
                () -> servlet.addMapping("x"),
                () -> filter.addMappingForUrlPatterns(null, true),
                () -> filter.addMappingForUrlPatterns(null, true, (String[]) null),
                () -> filter.addMappingForServletNames(null, true));
        assertEquals(List.of(), List.copyOf(servlet.getMappings()));
    }

    @Test
    void anExistingInitParameterCannotBeReplaced() {
        ServletRegistration.Dynamic servlet = add("a");
        assertTrue(servlet.setInitParameter("k", "1"));
        assertFalse(servlet.setInitParameter("k", "2"));
        Map<String, String> more = new LinkedHashMap<>(Map.of("k", "3", "l", "4"));
        assertEquals(Set.of("k"), servlet.setInitParameters(more));
        assertEquals(Map.of("k", "1"), servlet.getInitParameters());
        more.remove("k");
        more.put("m", null);
        assertAllRefused(() -> servlet.setInitParameters(more), () -> servlet.setInitParameter("n", null));
        assertEquals(Map.of("k", "1"), servlet.getInitParameters());
        assertThrows(UnsupportedOperationException.class, () -> servlet.getInitParameters()
                .put("x", "y"));
    }

    @Test
    void anExistingContextParameterCannotBeReplaced() {
        assertTrue(context.setInitParameter("k", "1"));
        assertFalse(context.setInitParameter("k", "2"));
        assertEquals("1", context.getInitParameter("k"));
        assertThrows(NullPointerException.class, () -> context.getInitParameter(null));
    }

    @Test
    void setServletSecurityReturnsTheUrlPatternsThatTheDescriptorAlreadyConstrains() {
        SecuritySettings.Collection collection =
                new SecuritySettings.Collection("c", Set.of("/admin"), Set.of(), Set.of());
        SecuritySettings security = new SecuritySettings(
                List.of(new SecuritySettings.Constraint(
                        List.of(collection), Set.of(), SecuritySettings.Transport.NONE)),
                null,
                Set.of("declared"),
                false);
        WebContext secured = new ContextFixture(
                        ContextSettings.builder("/").security(security).build())
                .context;
        ServletRegistration.Dynamic servlet = present(secured.addServlet("a", servlet()));
        servlet.addMapping("/admin", "/free");
        ServletSecurityElement element = new ServletSecurityElement(new HttpConstraintElement());
        assertEquals(Set.of("/admin"), servlet.setServletSecurity(element));
        assertEquals(element, present(secured.servlets().find("a")).security());
        assertAllRefused(() -> servlet.setServletSecurity(null));
        secured.declareRoles("coded");
        assertEquals(Set.of("declared", "coded"), secured.roles());
    }

    @Test
    void annotationsOfAServletAreIgnoredIfTheInstanceWasNotCreatedByTheContext() throws Exception {
        present(context.addServlet("class", Uploads.class));
        present(context.addServlet("name", Uploads.class.getName()));
        present(context.addServlet("created", context.createServlet(Uploads.class)));
        present(context.addServlet("given", new Uploads()));
        for (String name : List.of("class", "name", "created")) {
            MultipartConfigElement multipart =
                    present(context.servlets().find(name)).multipart();
            assertEquals("uploads", present(multipart).getLocation());
        }
        assertNull(present(context.servlets().find("given")).multipart());
    }

    @Test
    void theSessionTrackingModesCanBeSet() {
        assertEquals(
                EnumSet.of(SessionTrackingMode.COOKIE, SessionTrackingMode.URL),
                context.getEffectiveSessionTrackingModes());
        assertAllRefused(
                () -> context.setSessionTrackingModes(null),
                () -> context.setSessionTrackingModes(EnumSet.of(SessionTrackingMode.SSL, SessionTrackingMode.COOKIE)),
                () -> context.setSessionTrackingModes(EnumSet.allOf(SessionTrackingMode.class)));
        for (SessionTrackingMode mode : SessionTrackingMode.values()) {
            context.setSessionTrackingModes(EnumSet.of(mode));
            assertEquals(EnumSet.of(mode), context.getEffectiveSessionTrackingModes());
        }
    }

    @Test
    void aServletMappedToSlashReplacesTheDefaultServlet() throws Exception {
        context.servlets().declareDefault("default", servlet());
        add("mine").addMapping("/");
        context.start();
        assertEquals("mine", present(context.mappings().match("/x")).target().name());
        context.stop();
    }

    @Test
    void theDefaultServletServesUnmappedPaths() throws Exception {
        context.servlets().declareDefault("default", servlet());
        add("mine").addMapping("/mine");
        context.start();
        assertEquals("default", present(context.mappings().match("/x")).target().name());
        context.stop();
    }

    @Test
    void aDisabledServletHasNoMappings() throws Exception {
        add("a").addMapping("/a");
        present(context.servlets().find("a")).enabled(false);
        context.start();
        assertNull(context.mappings().match("/a"));
        context.stop();
    }

    @Test
    void listenersMustImplementAListenerInterfaceOfTheServletApi() {
        assertAllRefused(
                () -> context.addListener(new EventListener() {}),
                () -> context.addListener(EventListener.class),
                () -> context.addListener("no.such.Listener"),
                () -> context.addListener(String.class.getName()),
                () -> context.createListener(EventListener.class));
    }

    @Test
    void theContextReturnsTheServerInfoAndTheServletVersion() {
        ServletContext plain = context;
        assertTrue(plain.getServerInfo().startsWith("Penstock/"));
        assertEquals(6, plain.getMajorVersion());
        assertEquals(1, plain.getMinorVersion());
    }

    /** A listener that the tests try to register. */
    public static final class RequestCounter implements ServletRequestListener {}
}
