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

/** After the end of an application with pages, its classes and the classes of its pages are not in memory. */
class PageLeakTest {
    /** The number of redeployments. It is small, because each application compiles its pages, which takes time. */
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
    void lend() {
        System.getProperties().put(LOADERS, loaders);
    }

    @AfterEach
    void takeBack() {
        System.getProperties().remove(LOADERS);
    }

    private long inMemory() {
        System.gc();
        return loaders.stream().filter(loader -> loader.get() != null).count();
    }

    private void awaitInMemory(int most) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> assertTrue(inMemory() <= most, () -> inMemory() + " of " + loaders.size()));
    }

    @Test
    void noClassLoaderOfAnApplicationWithPagesStaysInMemory() throws Exception {
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
