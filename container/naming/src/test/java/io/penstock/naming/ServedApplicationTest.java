package io.penstock.naming;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.naming.application.EntryServlet;
import io.penstock.naming.application.OrdersServlet;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a data source and an environment entry of the operator in an application that a server runs. */
class ServedApplicationTest {
    @TempDir
    Path folder;

    private Path application(Class<?> servlet) throws Exception {
        String file = servlet.getName().replace('.', '/') + ".class";
        Path target = folder.resolve("shop/WEB-INF/classes").resolve(file);
        Files.createDirectories(target.getParent());
        try (InputStream in = servlet.getClassLoader().getResourceAsStream(file)) {
            Files.copy(in, target);
        }
        return folder.resolve("shop");
    }

    @Test
    void aServletFindsTheDataSourceOfTheOperatorByInjectionAndByName() throws Exception {
        Path sources = Files.writeString(folder.resolve("sources"), "jdbc/orders.url = jdbc:h2:mem:served\n");
        assertTrue(Naming.installForThisJvm());
        assertTrue(Naming.installForThisJvm(), "the second call did not return true");
        try (Penstock server = Penstock.builder()
                .port(0)
                .host("localhost")
                .environments(Naming.withDataSources(sources))
                .war("/shop", application(OrdersServlet.class))
                .start()) {
            URI address = URI.create("http://localhost:" + server.port() + "/shop/orders");
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
            assertEquals("42 by the same source", answer.body());
        }
    }

    @Test
    void aServletFindsAnEnvironmentEntryOfTheOperatorByName() throws Exception {
        assertTrue(Naming.installForThisJvm());
        try (Penstock server = Penstock.builder()
                .port(0)
                .host("localhost")
                .environments(Naming.create())
                .set("/shop:env.mail/retries", "3")
                .set("/shop:env-type.mail/retries", "java.lang.Integer")
                .war("/shop", application(EntryServlet.class))
                .start()) {
            URI address = URI.create("http://localhost:" + server.port() + "/shop/entry");
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
            assertEquals("3 java.lang.Integer", answer.body());
        }
    }
}
