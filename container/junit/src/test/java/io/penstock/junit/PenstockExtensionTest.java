package io.penstock.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.penstock.Penstock;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Tests that a {@link PenstockExtension} starts one server for all tests of a class, or one server for each test. */
class PenstockExtensionTest {
    private static final List<Penstock> SEEN = new ArrayList<>();

    private static final class Hello extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("Hello");
        }
    }

    private static void hello(Penstock.Builder builder) {
        builder.context("/", context -> context.servlet("hello", new Hello(), "/hello"));
    }

    private static String get(URI server) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(server.resolve("/hello")).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** An example of a test class. The tests of {@link PenstockExtensionTest} run this class and the three classes below. */
    static class OneServerForAllTests {
        @RegisterExtension
        static final PenstockExtension SERVER = PenstockExtension.with(PenstockExtensionTest::hello);

        @BeforeAll
        static void serverRunsBeforeTheTests(URI server) throws Exception {
            assertEquals("Hello", get(server));
        }

        @Test
        void theFirstTestGetsAServer(Penstock server, URI uri) throws Exception {
            SEEN.add(server);
            assertEquals(SERVER.uri(), uri);
            assertEquals("Hello", get(uri));
        }

        @Test
        void theSecondTestGetsAServer(Penstock server) {
            SEEN.add(server);
        }
    }

    static class OneServerForEachTest {
        @RegisterExtension
        final PenstockExtension server = PenstockExtension.with(PenstockExtensionTest::hello);

        @BeforeEach
        void serverRunsBeforeTheTests(URI uri) throws Exception {
            assertEquals("Hello", get(uri));
        }

        @Test
        void theFirstTestGetsAServer(Penstock running) {
            SEEN.add(running);
        }

        @Test
        void theSecondTestGetsAServer(Penstock running) {
            SEEN.add(running);
        }
    }

    static class WithNestedClasses {
        @RegisterExtension
        static final PenstockExtension SERVER = PenstockExtension.with(PenstockExtensionTest::hello);

        @Nested
        class First {
            @Test
            void theServerResponds(Penstock server, URI uri) throws Exception {
                SEEN.add(server);
                assertEquals("Hello", get(uri));
            }
        }

        @Nested
        class Second {
            @Nested
            class Deeper {
                @Test
                void theServerResponds(Penstock server, URI uri) throws Exception {
                    SEEN.add(server);
                    assertEquals("Hello", get(uri));
                }
            }
        }
    }

    static class Failing {
        @RegisterExtension
        static final PenstockExtension SERVER = PenstockExtension.with(builder -> builder.set("workers", "many"));

        @Test
        void thisTestNeverRuns() {
            SEEN.add(SERVER.server());
        }
    }

    private static TestExecutionSummary run(Class<?> tests) {
        SEEN.clear();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, summary);
        return summary.getSummary();
    }

    private static void assertPassed(TestExecutionSummary summary) {
        assertEquals(
                List.of(),
                summary.getFailures().stream()
                        .map(failure -> failure.getException().toString())
                        .toList());
        assertEquals(2, summary.getTestsSucceededCount());
        assertEquals(2, SEEN.size());
        SEEN.forEach(server -> assertFalse(server.isReady(), "the server is still running"));
    }

    @Test
    void anExtensionInAStaticFieldStartsOneServerForAllTests() {
        assertPassed(run(OneServerForAllTests.class));
        assertSame(SEEN.get(0), SEEN.get(1));
        assertThrows(IllegalStateException.class, OneServerForAllTests.SERVER::uri);
    }

    @Test
    void nestedClassesUseTheServerOfTheOuterClass() {
        assertPassed(run(WithNestedClasses.class));
        assertSame(SEEN.get(0), SEEN.get(1));
        assertThrows(IllegalStateException.class, WithNestedClasses.SERVER::uri);
    }

    @Test
    void anExtensionInAnInstanceFieldStartsOneServerForEachTest() {
        assertPassed(run(OneServerForEachTest.class));
        assertNotSame(SEEN.get(0), SEEN.get(1));
    }

    @Test
    void theTestsFailIfTheServerDoesNotStart() {
        TestExecutionSummary summary = run(Failing.class);
        assertEquals(List.of(), SEEN);
        assertTrue(String.valueOf(summary.getFailures().get(0).getException().getMessage())
                .contains("workers: 'many' is not a whole number"));
    }
}
