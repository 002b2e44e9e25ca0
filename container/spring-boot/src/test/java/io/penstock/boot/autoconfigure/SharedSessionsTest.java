package io.penstock.boot.autoconfigure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.boot.PenstockWebServer;
import jakarta.servlet.http.HttpSession;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.session.MapSessionRepository;
import org.springframework.session.Session;
import org.springframework.session.config.annotation.web.http.EnableSpringHttpSession;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tests two instances of an application that share sessions. The sessions are in a session store of Penstock, or in Spring Session. */
class SharedSessionsTest {
    private final HttpClient client = HttpClient.newHttpClient();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Sample {
        @GetMapping("/count")
        String count(HttpSession session) {
            Integer before = (Integer) session.getAttribute("count");
            int now = before == null ? 1 : before + 1;
            session.setAttribute("count", now);
            return Integer.toString(now);
        }
    }

    private static ConfigurableApplicationContext run(Class<?> sample, String... properties) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--spring.main.banner-mode=off"));
        for (String property : properties) {
            arguments.add("--" + property);
        }
        return new SpringApplication(sample).run(arguments.toArray(String[]::new));
    }

    private HttpResponse<String> get(ConfigurableApplicationContext context, String cookie) throws Exception {
        PenstockWebServer server = (PenstockWebServer) ((WebServerApplicationContext) context).getWebServer();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getPort() + "/count"))
                .timeout(Duration.ofMinutes(1))
                .header("Cookie", cookie)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private void assertShared(Class<?> sample, String... properties) throws Exception {
        try (ConfigurableApplicationContext first = run(sample, properties);
                ConfigurableApplicationContext second = run(sample, properties)) {
            HttpResponse<String> begun = get(first, "a=b");
            assertEquals("1", begun.body());
            String cookie =
                    begun.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
            assertEquals("2", get(second, cookie).body());
            assertEquals("3", get(first, cookie).body());
        }
    }

    @Test
    void sessionsAreSharedThroughASessionStoreOfPenstock() throws Exception {
        assertShared(Sample.class, "server.penstock.session-store=jdbc:h2:mem:boot;DB_CLOSE_DELAY=-1");
    }

    /** Uses the simplest repository of Spring Session. Spring's own tests cover the other repositories. */
    @Configuration(proxyBeanMethods = false)
    @EnableSpringHttpSession
    static class WithSpringSession extends Sample {
        private static final Map<String, Session> SHARED = new ConcurrentHashMap<>();

        @Bean
        MapSessionRepository sessionRepository() {
            return new MapSessionRepository(SHARED);
        }
    }

    /** Devtools set this property, unless the application has set it. */
    @Test
    void aSessionStoreHasPrecedenceOverPersistentSessions() throws Exception {
        assertShared(
                Sample.class,
                "server.penstock.session-store=jdbc:h2:mem:persistent;DB_CLOSE_DELAY=-1",
                "server.servlet.session.persistent=true");
    }

    @Test
    void sessionsAreSharedThroughSpringSession() throws Exception {
        assertShared(WithSpringSession.class);
        assertEquals(1, WithSpringSession.SHARED.size());
    }
}
