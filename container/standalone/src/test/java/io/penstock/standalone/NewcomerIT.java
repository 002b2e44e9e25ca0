package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an application that says nothing meets in the jar. */
class NewcomerIT {

    @TempDir
    Path folder;

    private Path application;

    @BeforeEach
    void unpack() throws Exception {
        application = folder.resolve("shop");
        String file = GuestBookServlet.class.getName().replace('.', '/') + ".class";
        Path target = application.resolve("WEB-INF/classes").resolve(file);
        Files.createDirectories(target.getParent());
        try (InputStream in = GuestBookServlet.class.getClassLoader().getResourceAsStream(file)) {
            Files.copy(in, target);
        }
    }

    /** Asks as a browser that has a page in UTF-8. */
    private static HttpResponse<byte[]> sendForm(JarProcess jar) throws IOException, InterruptedException {
        URI address = URI.create("http://localhost:" + JarProcess.port(jar.startLine()) + "/guests");
        HttpRequest form = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("name=J%C3%BCrgen"))
                .build();
        return HttpClient.newHttpClient().send(form, BodyHandlers.ofByteArray());
    }

    @Test
    void formsAndPagesAreInUtf8() throws Exception {
        try (JarProcess jar = JarProcess.run("--port", "0", application.toString())) {
            HttpResponse<byte[]> answer = sendForm(jar);
            assertEquals("Welcome, J\u00fcrgen", new String(answer.body(), StandardCharsets.UTF_8), jar.log());
            assertEquals(
                    "text/plain;charset=UTF-8",
                    answer.headers().firstValue("Content-Type").orElseThrow());
        }
    }

    /** A proxy that does TLS need not tell the server: browsers stay with the scheme by which they came. */
    @Test
    void redirectsSayNothingOfSchemeAndHost() throws Exception {
        Files.createDirectories(application.resolve("pictures"));
        try (JarProcess jar = JarProcess.run("--port", "0", application.toString())) {
            URI address = URI.create("http://localhost:" + JarProcess.port(jar.startLine()) + "/pictures");
            HttpResponse<Void> answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding());
            assertEquals(302, answer.statusCode());
            assertEquals("/pictures/", answer.headers().firstValue("Location").orElseThrow());
        }
    }

    @Test
    void theSpecificationsDefaultIsToBeHadForTheAsking() throws Exception {
        try (JarProcess jar = JarProcess.run(
                "--port", "0", "--request-encoding", "none", "--response-encoding", "none", application.toString())) {
            HttpResponse<byte[]> answer = sendForm(jar);
            assertEquals("Welcome, J\u00c3\u00bcrgen", new String(answer.body(), StandardCharsets.ISO_8859_1));
            assertEquals(
                    "text/plain;charset=ISO-8859-1",
                    answer.headers().firstValue("Content-Type").orElseThrow());
        }
    }
}
