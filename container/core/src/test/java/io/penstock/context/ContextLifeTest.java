package io.penstock.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.context.WebContext.Life;
import io.penstock.session.WebSession;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the start and the stop of a servlet context, and the clean-up after a failed start. */
final class ContextLifeTest {
    private final ContextFixture fixture = new ContextFixture();
    private final WebContext context = fixture.context;

    /** A listener that adds the calls of its methods to the list {@code diary} of the fixture. */
    private final class RecordingListener
            implements ServletContextListener, ServletRequestListener, HttpSessionListener {
        private final String label;

        RecordingListener(String label) {
            this.label = label;
        }

        @Override
        public void contextInitialized(ServletContextEvent event) {
            fixture.diary.add(label + " start");
        }

        @Override
        public void contextDestroyed(ServletContextEvent event) {
            fixture.diary.add(label + " end");
        }

        @Override
        public void requestInitialized(ServletRequestEvent event) {
            fixture.diary.add(label + " request");
        }

        @Override
        public void requestDestroyed(ServletRequestEvent event) {
            fixture.diary.add(label + " request over");
            throw new IllegalStateException("is logged");
        }

        @Override
        public void sessionCreated(HttpSessionEvent event) {
            fixture.diary.add(label + " session");
        }

        @Override
        public void sessionDestroyed(HttpSessionEvent event) {
            fixture.diary.add(label + " session over");
        }
    }

    @Test
    void aContextStopsInTheReverseOrderOfItsStart() throws Exception {
        context.listeners().declare(new RecordingListener("a"));
        context.filters().declare("f", new TestFilter(fixture.diary));
        ServletHolder servlet = context.servlets().declare("s", new TestServlet(fixture.diary));
        assertNotNull(servlet);
        servlet.loadOnStartup(0);
        context.start(List.of(initialised -> {
            fixture.diary.add("initializer");
            initialised.addListener(new RecordingListener("b"));
        }));
        WebSession session = context.sessions().create();
        context.sessions().leave(session);
        context.stop();
        assertEquals(
                List.of(
                        "initializer",
                        "a start",
                        "b start",
                        "init f",
                        "init s",
                        "a session",
                        "b session",
                        "destroy s",
                        "destroy f",
                        "b session over",
                        "a session over",
                        "b end",
                        "a end"),
                fixture.diary);
        assertEquals(Life.STOPPED, context.life());
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwUndeclared(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** An application can throw any error, and, if it is not written in Java, any checked exception. */
    @Test
    void everyPartOfTheContextIsStoppedWhateverTheOthersThrow() throws Exception {
        context.listeners().declare(new RecordingListener("first"));
        context.listeners().declare(new ServletContextListener() {
            @Override
            public void contextDestroyed(ServletContextEvent event) {
                throw new ServiceConfigurationError("of a driver");
            }
        });
        context.filters().declare("good", new TestFilter(fixture.diary));
        context.filters().declare("bad", new Filter() {
            @Override
            public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) {
                // never called
            }

            @Override
            public void destroy() {
                throw new AssertionError("of a filter");
            }
        });
        for (String name : new String[] {"a", "b"}) {
            ServletHolder servlet = context.servlets().declare(name, new TestServlet(fixture.diary) {
                private static final long serialVersionUID = 1L;

                @Override
                public void destroy() {
                    super.destroy();
                    ContextLifeTest.<RuntimeException>throwUndeclared(new IOException("of a servlet"));
                }
            });
            assertNotNull(servlet);
            servlet.loadOnStartup(0);
        }
        context.start();
        File temporary = assertInstanceOf(File.class, context.getAttribute(ServletContext.TEMPDIR));
        context.sessions().leave(context.sessions().create());
        fixture.diary.clear();
        context.stop();
        assertEquals(
                List.of("destroy a", "destroy b", "destroy good", "first session over", "first end"), fixture.diary);
        assertFalse(temporary.exists());
        assertEquals(Life.STOPPED, context.life());
    }

    @Test
    void requestListenersAreCalledInReverseOrderAtTheEndOfARequest() throws Exception {
        context.listeners().declare(new RecordingListener("a"));
        context.listeners().declare(new RecordingListener("b"));
        context.start();
        fixture.diary.clear();
        context.listeners().requestInitialized(Nothing.REQUEST);
        context.listeners().requestDestroyed(Nothing.REQUEST);
        assertEquals(List.of("a request", "b request", "b request over", "a request over"), fixture.diary);
        context.stop();
    }

    @Test
    void contextDestroyedIsCalledOnlyForListenersBeforeTheFailedListener() {
        context.listeners().declare(new RecordingListener("a"));
        context.listeners().declare(new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                throw new IllegalStateException("no database");
            }
        });
        context.listeners().declare(new RecordingListener("c"));
        assertEquals(
                "no database",
                assertThrows(IllegalStateException.class, context::start).getMessage());
        assertEquals(List.of("a start", "a end"), fixture.diary);
        assertEquals(Life.FAILED, context.life());
        assertThrows(IllegalStateException.class, context::mappings);
    }

    /** A listener that can be made. */
    static final class Made implements ServletContextListener {}

    /** A listener that cannot be made. */
    static final class NotMade implements ServletContextListener {
        NotMade() {
            throw new IllegalStateException("no database");
        }
    }

    @Test
    void theListenersBeforeAListenerThatCannotBeMadeAreReleased() {
        List<Class<?>> released = new ArrayList<>();
        ObjectFactory objects = new ObjectFactory() {
            @Override
            public <T> T create(Class<T> type) throws ReflectiveOperationException {
                return REFLECTIVE.create(type);
            }

            @Override
            public void release(Object instance) {
                released.add(instance.getClass());
            }
        };
        WebContext own = new ContextFixture(ContextSettings.builder("/app").build(), objects).context;
        own.listeners().declare(Made.class);
        own.listeners().declare(NotMade.class);
        own.listeners().declare(Made.class);
        assertThrows(ServletException.class, own::start);
        assertEquals(List.of(Made.class), released);
    }

    @Test
    void theStartOfAContextFailsAndIsUndoneIfAFilterCannotBeLoaded() {
        context.listeners().declare(new RecordingListener("a"));
        context.filters().declare("good", new TestFilter(fixture.diary));
        context.filters().declare("bad", "no.such.Filter");
        assertThrows(ServletException.class, context::start);
        assertEquals(List.of("a start", "init good", "destroy good", "a end"), fixture.diary);
    }

    @Test
    void aContextCanStartOnlyOnce() throws Exception {
        context.start();
        assertThrows(IllegalStateException.class, context::start);
        context.stop();
        assertThrows(IllegalStateException.class, context::start);
    }

    @Test
    void aContextCanBeStoppedEvenIfItHasNotStarted() {
        context.stop();
        assertEquals(Life.STOPPED, context.life());
    }

    @Test
    void aContextListenerCannotAddAnotherContextListener() throws Exception {
        context.listeners().declare(new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                ServletContext servletContext = event.getServletContext();
                assertThrows(
                        IllegalArgumentException.class, () -> servletContext.addListener(new RecordingListener("x")));
                assertThrows(
                        IllegalArgumentException.class, () -> servletContext.addListener(RestrictedListener.class));
                servletContext.addListener((ServletRequestListener) new ServletRequestListener() {
                    @Override
                    public void requestInitialized(ServletRequestEvent request) {
                        fixture.diary.add("added late");
                    }
                });
            }
        });
        context.start();
        context.listeners().requestInitialized(Nothing.REQUEST);
        assertEquals(List.of("added late"), fixture.diary);
        context.stop();
    }

    /** A context listener that an initializer adds. Most methods of the context refuse its calls (Servlet 6.1, section 4.4). */
    public static final class RestrictedListener implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            ServletContext servletContext = event.getServletContext();
            assertThrows(UnsupportedOperationException.class, () -> servletContext.addServlet("a", "x.Y"));
            assertThrows(UnsupportedOperationException.class, () -> servletContext.addFilter("a", "x.Y"));
            assertThrows(UnsupportedOperationException.class, () -> servletContext.addListener("x.Y"));
            assertThrows(
                    UnsupportedOperationException.class, () -> servletContext.createListener(RestrictedListener.class));
            assertThrows(UnsupportedOperationException.class, servletContext::getServletRegistrations);
            assertThrows(UnsupportedOperationException.class, servletContext::getFilterRegistrations);
            assertThrows(UnsupportedOperationException.class, servletContext::getSessionCookieConfig);
            assertThrows(UnsupportedOperationException.class, () -> servletContext.declareRoles("a"));
            assertThrows(UnsupportedOperationException.class, () -> servletContext.setSessionTimeout(1));
            assertThrows(UnsupportedOperationException.class, () -> servletContext.setInitParameter("a", "b"));
            assertThrows(
                    UnsupportedOperationException.class, () -> servletContext.setRequestCharacterEncoding("UTF-8"));
            assertThrows(NullPointerException.class, () -> servletContext.getAttribute(null));
            assertEquals(servletContext, event.getServletContext());
            servletContext.setAttribute("refused", "all");
        }
    }

    @Test
    void aContextListenerAddedByCodeCannotConfigureTheContext() throws Exception {
        context.start(List.of(initialised -> initialised.addListener(RestrictedListener.class)));
        assertNotNull(context.getAttribute("refused"));
        context.stop();
    }

    @Test
    void applicationCodeRunsWithTheClassLoaderOfTheApplication() throws Exception {
        try (URLClassLoader loader = new URLClassLoader(new URL[0], getClass().getClassLoader())) {
            ContextFixture own = new ContextFixture(
                    ContextSettings.builder("/x").classLoader(loader).build());
            own.context.listeners().declare(new HttpSessionListener() {
                @Override
                public void sessionDestroyed(HttpSessionEvent event) {
                    own.diary.add("expired in " + Thread.currentThread().getContextClassLoader());
                }
            });
            ClassLoader outer = Thread.currentThread().getContextClassLoader();
            own.context.start(List.of(initialised ->
                    own.diary.add("started in " + Thread.currentThread().getContextClassLoader())));
            WebSession session = own.context.sessions().create();
            own.context.sessions().leave(session);
            own.advanceClock(Duration.ofMinutes(30));
            own.context.sessions().expire();
            assertEquals(List.of("started in " + loader, "expired in " + loader), own.diary);
            assertSame(outer, Thread.currentThread().getContextClassLoader());
            own.context.stop();
        }
    }

    @Test
    void theTemporaryDirectoryIsCreatedAndDeletedWithItsContent() throws Exception {
        context.start();
        File directory = assertInstanceOf(File.class, context.getAttribute(ServletContext.TEMPDIR));
        assertTrue(directory.isDirectory());
        Files.createDirectories(directory.toPath().resolve("a/b"));
        Files.writeString(directory.toPath().resolve("a/b/c"), "x");
        context.stop();
        assertFalse(directory.exists());
    }

    @Test
    void aConfiguredTemporaryDirectoryIsNotDeleted(@TempDir Path given) throws Exception {
        WebContext own = new ContextFixture(ContextSettings.builder("/")
                        .temporary(given.resolve("work"))
                        .build())
                .context;
        own.start();
        own.stop();
        assertTrue(Files.isDirectory(given.resolve("work")));
    }

    @Test
    void anExceptionOfRequestInitializedIsThrownToTheCaller() throws Exception {
        context.listeners().declare(new ServletRequestListener() {
            @Override
            public void requestInitialized(ServletRequestEvent event) {
                throw new IllegalStateException("refused");
            }
        });
        context.start();
        ServletRequest request = Nothing.REQUEST;
        assertThrows(IllegalStateException.class, () -> context.listeners().requestInitialized(request));
        context.stop();
    }

    @Test
    void otherContextsAndRequestDispatchersAreNullByDefault() {
        assertNull(context.getContext("/other"));
        assertNull(context.getRequestDispatcher("/x"));
        assertNull(context.getRequestDispatcher("x"));
        assertNull(context.getNamedDispatcher("x"));
    }
}
