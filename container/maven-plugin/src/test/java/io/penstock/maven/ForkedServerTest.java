package io.penstock.maven;

import static io.penstock.testing.Patience.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a server that runs an application in a separate JVM. */
class ForkedServerTest {
    private static final String APPLICATION = """
            package com.example;
            import jakarta.servlet.*;
            import jakarta.servlet.annotation.*;
            import jakarta.servlet.http.*;
            @WebListener
            @WebServlet("/end")
            public class Ending extends HttpServlet implements ServletContextListener {
                @Override
                public void contextInitialized(ServletContextEvent event) {
                    %s
                }
                @Override
                protected void doGet(HttpServletRequest request, HttpServletResponse response) {
                    Runtime.getRuntime().halt(Integer.parseInt(request.getParameter("value")));
                }
            }
            """;

    @TempDir
    Path folder;

    private final List<String> output = new CopyOnWriteArrayList<>();

    private ForkedServer start(String atStart) throws Exception {
        return start(atStart, Map.of("host", "127.0.0.1", "port", "0"));
    }

    private ForkedServer start(String atStart, Map<String, String> settings) throws Exception {
        WebProject project = WebProject.in(folder.resolve("project"))
                .with("src/main/java/com/example/Ending.java", APPLICATION.formatted(atStart));
        Files.createDirectories(project.folder().resolve("target/classes"));
        Files.createDirectories(project.folder().resolve("src/main/webapp"));
        project.compile("");
        Launch launch = new Launch(
                "/",
                Launch.Kind.SOURCES,
                settings,
                List.of(project.folder().resolve("src/main/webapp")),
                List.of(project.folder().resolve("target/classes")),
                Map.of(),
                Launch.Compilation.NONE);
        List<Path> classPath = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .toList();
        return ForkedServer.start(launch, classPath, List.of("-Xmx64m"), folder.resolve("launches"), output::add);
    }

    private static void end(ForkedServer server, int value) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "end?value=" + value))
                .build();
        assertThrows(IOException.class, () -> HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding()));
    }

    @Test
    void outputOfTheApplicationIsNotReadAsAMessageOfTheServer() throws Exception {
        try (ForkedServer server =
                start("System.out.println(\"penstock-port=1\"); System.out.print(\"no end of line\");")) {
            assertTrue(server.port() > 1);
            assertEquals("http://127.0.0.1:" + server.port() + "/", server.url());
            try (Stream<Path> left = Files.list(folder.resolve("launches"))) {
                assertEquals(List.of(), left.toList());
            }
        }
        await().atMost(PATIENCE).until(() -> output.contains("penstock-port=1"));
    }

    @Test
    void aServerWithTheSettingH2cSpeaksHttp2WithoutTls() throws Exception {
        try (ForkedServer server = start("", Map.of("host", "127.0.0.1", "port", "0", "h2c", "on"));
                Socket client = new Socket("127.0.0.1", server.port())) {
            client.setSoTimeout((int) PATIENCE.toMillis());
            client.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            int settings = 4; // the type of the frame
            assertEquals(settings, client.getInputStream().readNBytes(9)[3]);
        }
    }

    @Test
    void aNonZeroExitValueIsAnError() throws Exception {
        ForkedServer server = start("");
        end(server, 3);
        LaunchException awaited = assertThrows(LaunchException.class, server::await);
        assertEquals("the forked server has ended with exit value 3", awaited.getMessage());
        assertEquals(
                "the forked server has ended with exit value 3",
                assertThrows(LaunchException.class, server::close).getMessage());
    }

    @Test
    void theExitValueZeroIsNotAnError() throws Exception {
        try (ForkedServer server = start("")) {
            end(server, 0);
            server.await();
        }
    }

    @Test
    void theErrorForAFailedStartContainsTheExitValue() {
        LaunchException thrown = assertThrows(LaunchException.class, () -> start("Runtime.getRuntime().halt(4);"));
        assertEquals(
                "the forked server does not start, and has ended with exit value 4: see above", thrown.getMessage());
    }

    @Test
    void applicationsMayReflectOnThePackagesOfTheJdkThatPenstockJarOpens() throws Exception {
        String reflecting = """
                try {
                    for (String name : new String[] {"java.lang.Thread", "java.io.ObjectStreamClass$Caches", "java.util.ArrayList",
                            "java.util.concurrent.ThreadPoolExecutor", "sun.rmi.transport.ObjectTable"}) {
                        for (java.lang.reflect.Field field : Class.forName(name).getDeclaredFields()) {
                            field.setAccessible(true);
                        }
                    }
                    System.out.println("all open");
                } catch (Exception e) {
                    System.out.println(e);
                }
                """;
        start(reflecting).close();
        await().atMost(PATIENCE).until(() -> !output.isEmpty());
        assertEquals("all open", output.get(0));
    }
}
