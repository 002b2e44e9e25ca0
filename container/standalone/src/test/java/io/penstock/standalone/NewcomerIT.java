package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the defaults of {@code penstock.jar} for an application without settings. */
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

    /** Sends a form. The field is encoded as a browser encodes it on a page in UTF-8. */
    private static HttpResponse<byte[]> sendForm(JarProcess jar) throws IOException, InterruptedException {
        URI address = URI.create("http://localhost:" + JarProcess.port(jar.startLine()) + "/guests");
        HttpRequest form = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("name=J%C3%BCrgen"))
                .build();
        return HttpClient.newHttpClient().send(form, BodyHandlers.ofByteArray());
    }

    @Test
    void formsAndResponsesUseUtf8ByDefault() throws Exception {
        try (JarProcess jar = JarProcess.run("--port", "0", application.toString())) {
            HttpResponse<byte[]> response = sendForm(jar);
            assertEquals("Welcome, J\u00fcrgen", new String(response.body(), StandardCharsets.UTF_8), jar.log());
            assertEquals(
                    "text/plain;charset=UTF-8",
                    response.headers().firstValue("Content-Type").orElseThrow());
        }
    }

    /**
     * A browser keeps the scheme and the host of its request when it follows a redirect to a path. Therefore, redirects work behind a proxy
     * that terminates TLS and does not forward the scheme.
     */
    @Test
    void theLocationOfARedirectContainsOnlyAPath() throws Exception {
        Files.createDirectories(application.resolve("pictures"));
        try (JarProcess jar = JarProcess.run("--port", "0", application.toString())) {
            URI address = URI.create("http://localhost:" + JarProcess.port(jar.startLine()) + "/pictures");
            HttpResponse<Void> response = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding());
            assertEquals(302, response.statusCode());
            assertEquals("/pictures/", response.headers().firstValue("Location").orElseThrow());
        }
    }

    @Test
    void theEncodingsOfTheServletSpecificationAreUsedIfTheEncodingOptionsHaveTheValueNone() throws Exception {
        try (JarProcess jar = JarProcess.run(
                "--port", "0", "--request-encoding", "none", "--response-encoding", "none", application.toString())) {
            HttpResponse<byte[]> response = sendForm(jar);
            assertEquals("Welcome, J\u00c3\u00bcrgen", new String(response.body(), StandardCharsets.ISO_8859_1));
            assertEquals(
                    "text/plain;charset=ISO-8859-1",
                    response.headers().firstValue("Content-Type").orElseThrow());
        }
    }

    /** Runs the command for two virtual hosts in {@code docs/user-guide.md}. The test creates the files that the command names. */
    @Test
    void theCommandInTheUserGuideServesTwoVirtualHosts() throws Exception {
        String command = Files.readAllLines(Path.of("..", "..", "docs", "user-guide.md")).stream()
                .filter(line -> line.startsWith("java -jar penstock.jar //"))
                .findFirst()
                .orElseThrow();
        Path site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "the site");
        Path shop = folder.resolve("shop.war");
        try (Stream<Path> files = Files.walk(application);
                JarOutputStream war = new JarOutputStream(Files.newOutputStream(shop))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                war.putNextEntry(new ZipEntry(application.relativize(file).toString()));
                Files.copy(file, war);
                war.closeEntry();
            }
        }
        List<String> args = new ArrayList<>(List.of("--port", "0"));
        for (String argument :
                command.substring("java -jar penstock.jar ".length()).split(" ", -1)) {
            args.add(argument.replace("=", "=" + folder + "/"));
        }
        try (JarProcess jar = JarProcess.run(args.toArray(String[]::new))) {
            String line = jar.startLine();
            assertTrue(line.contains(" serves //shop.example.org/, //www.example.org/ at "), line);
            int port = JarProcess.port(line);
            assertEquals("the site", get(port, "www.example.org", "/"), jar.log());
            assertEquals(
                    "405",
                    get(port, "SHOP.example.org:" + port, "/guests"),
                    "status of a GET request to a servlet that supports only POST");
            assertEquals("404", get(port, "www.example.org", "/guests"));
            assertEquals("404", get(port, "localhost", "/"));
        }
    }

    /** Sends a GET request with the given Host header. Returns the body if the status code is 200, or else the status code. */
    private static String get(int port, String host, String path) throws IOException {
        try (Socket socket = new Socket("localhost", port)) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String status = all.split(" ", 3)[1];
            return status.equals("200") ? all.substring(all.indexOf("\r\n\r\n") + 4) : status;
        }
    }
}
