package io.penstock.jsp;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.jsp.application.Greeting;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the class loaders of an application and of its pages are garbage-collected after the end of the application. */
class PageLeakTest {
    /** The number of redeployments. The number is small, because the server compiles the page after each redeployment. */
    private static final int REDEPLOYS = 30;

    private static final String LOADERS = "penstock.test.loaders";

    private static final String PAGE = """
            <%@ page import="java.lang.ref.WeakReference, java.util.List" %>
            <%@ taglib prefix="c" uri="jakarta.tags.core" %>
            <%! static final ThreadLocal<Object> LOCAL = new ThreadLocal<>(); %>
            <jsp:useBean id="greeting" class="io.penstock.jsp.application.Greeting" scope="session"/>
            <%
                List<WeakReference<ClassLoader>> loaders =
                        (List<WeakReference<ClassLoader>>) System.getProperties().get("penstock.test.loaders");
                loaders.add(new WeakReference<>(getClass().getClassLoader()));
                loaders.add(new WeakReference<>(greeting.getClass().getClassLoader()));
                LOCAL.set(greeting);
            %>
            <c:forEach var="i" begin="1" end="3">${i}${[1, 2].stream().map(x -> x + i).toList()}</c:forEach>
            """;

    @TempDir
    Path folder;

    private final List<WeakReference<ClassLoader>> loaders = new CopyOnWriteArrayList<>();

    @BeforeEach
    void publishLoaders() {
        System.getProperties().put(LOADERS, loaders);
    }

    @AfterEach
    void removePublishedLoaders() {
        System.getProperties().remove(LOADERS);
    }

    private long inMemory() {
        System.gc();
        return loaders.stream().filter(loader -> loader.get() != null).count();
    }

    private void awaitInMemory(int most) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> assertTrue(
                        inMemory() <= most,
                        () -> inMemory() + " of " + loaders.size() + " class loaders are still in memory"));
    }

    @Test
    void noClassLoaderOfAnApplicationWithPagesRemainsInMemory() throws Exception {
        try (Site.Server server =
                new Site().with("page.jsp", PAGE).withClasses(Greeting.class).serve(folder)) {
            for (int i = 0; i < REDEPLOYS; i++) {
                assertEquals("1[2, 3]2[3, 4]3[4, 5]", server.text("/page.jsp"));
                server.penstock().deploy("/site", server.application());
            }
            assertEquals(2 * REDEPLOYS, loaders.size());
            assertTrue(server.penstock().undeploy("/site"));
            awaitInMemory(0);
        }
    }
}
