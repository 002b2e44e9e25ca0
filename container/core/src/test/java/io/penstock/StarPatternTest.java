package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.deploy.Packing;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.annotation.WebListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Tests filters with the URL pattern {@code *}. The specification does not have this pattern, but other servers take it for all paths, and
 * applications use it.
 */
class StarPatternTest {
    private static final String WARNING = "has the URL pattern *";

    @TempDir
    Path folder;

    /** Adds a field with the name of its class. */
    public static class Marking implements Filter {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            ((HttpServletResponse) response)
                    .addHeader("X-Filter", getClass().getName().replaceAll(".*\\$", ""));
            chain.doFilter(request, response);
        }
    }

    @WebFilter("*")
    public static final class Annotated extends Marking {}

    public static final class Added extends Marking {}

    @WebListener
    public static final class Adding implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            event.getServletContext()
                    .addFilter("added", Added.class)
                    .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "*");
        }
    }

    private static void assertAllRequestsPass(Penstock server, String... filters) throws IOException {
        for (String target : List.of("/app/", "/app/page.txt", "/app/no/such/page")) {
            List<String> passed = RawExchange.get(server, target).values("X-Filter").stream()
                    .sorted()
                    .toList();
            assertEquals(List.of(filters), passed, target);
        }
    }

    private static long warnings(int before) throws IOException {
        byte[] all = Files.readAllBytes(LogInjectionTest.LOG);
        String log = new String(all, before, all.length - before, Charset.defaultCharset());
        return log.lines()
                .filter(line -> line.contains(WARNING) && line.contains("/app"))
                .count();
    }

    private static int logged() throws IOException {
        LoggerFactory.getLogger(StarPatternTest.class); // opens the file
        return Files.readAllBytes(LogInjectionTest.LOG).length;
    }

    @Test
    void filtersOfAnApplicationWithThePatternStarGetAllRequests() throws Exception {
        Path war = Packing.empty()
                .with("page.txt", "page")
                .with("WEB-INF/web.xml", """
                        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                          <filter><filter-name>declared</filter-name>
                            <filter-class>io.penstock.StarPatternTest$Marking</filter-class></filter>
                          <filter-mapping><filter-name>declared</filter-name><url-pattern>*</url-pattern></filter-mapping>
                        </web-app>
                        """)
                .withClasses("WEB-INF/classes/", Marking.class, Annotated.class, Added.class, Adding.class)
                .archive(folder.resolve("app.war"));
        int before = logged();
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .war("/app", war)
                .start()) {
            assertAllRequestsPass(server, "Added", "Annotated", "Marking");
        }
        assertEquals(1, warnings(before));
    }

    @Test
    void aFilterOfAProgramWithThePatternStarGetsAllRequests() throws Exception {
        int before = logged();
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .context("/app", context -> context.filter("marking", new Marking(), "*"))
                .start()) {
            assertAllRequestsPass(server, "Marking");
        }
        assertEquals(1, warnings(before));
    }

    @Test
    void aServletWithThePatternStarIsRefused() {
        StartException e = assertThrows(StartException.class, () -> Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .context("/app", context -> context.servlet("who", new WhoServlet(), "*"))
                .start());
        assertTrue(e.getMessage().contains("URL pattern"), e.getMessage());
    }
}
