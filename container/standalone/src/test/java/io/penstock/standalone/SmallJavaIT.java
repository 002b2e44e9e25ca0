package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the server on a Java runtime that contains only the modules that the server requires. */
class SmallJavaIT {

    @TempDir
    Path folder;

    @Test
    void theServerRunsWithoutFlightRecorder() throws Exception {
        Files.writeString(folder.resolve("hello.txt"), "Hello");
        Map<String, String> small = Map.of("JAVA_TOOL_OPTIONS", "--limit-modules=java.se,jdk.unsupported");
        try (JarProcess jar = JarProcess.run(small, "0", folder.toString())) {
            int port = JarProcess.port(jar.startLine());
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/hello.txt"))
                    .build();
            HttpResponse<String> response =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            assertEquals("Hello", response.body());
            assertFalse(jar.log().contains("ERROR"), jar.log());
        }
    }
}
