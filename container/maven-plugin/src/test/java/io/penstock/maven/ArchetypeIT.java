package io.penstock.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Generates a project from {@code penstock-archetype} in an empty folder. Then Maven tests the project, and runs the project. */
class ArchetypeIT {
    @TempDir
    Path folder;

    @Test
    void theGeneratedProjectPassesItsTestsAndRuns() throws Exception {
        LocalRepository repository = LocalRepository.in(folder);
        WebProject empty = WebProject.in(folder.resolve("empty"));
        String version = System.getProperty("penstock.version");
        try (MavenRun maven = MavenRun.start(
                repository,
                empty.folder(),
                "org.apache.maven.plugins:maven-archetype-plugin:" + System.getProperty("archetype-plugin.version")
                        + ":generate",
                "-DarchetypeGroupId=io.penstock",
                "-DarchetypeArtifactId=penstock-archetype",
                "-DarchetypeVersion=" + version,
                "-DarchetypeCatalog=local",
                "-DgroupId=com.example",
                "-DartifactId=shop")) {
            maven.awaitSuccess();
        }
        Path shop = empty.folder().resolve("shop");
        try (MavenRun maven = MavenRun.start(repository, shop, "verify")) {
            String output = maven.awaitSuccess();
            assertTrue(output.contains("Tests run: 1, Failures: 0"), "the unit test did not run: " + output);
            assertTrue(output.contains("Tests run: 2, Failures: 0"), "the integration test did not run: " + output);
        }
        try (MavenRun maven =
                MavenRun.start(repository, shop, "io.penstock:penstock-maven-plugin:run", "-Dpenstock.port=0")) {
            URI uri = URI.create("http://127.0.0.1:" + maven.port() + "/hello?name=Ann");
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
            assertEquals("Hello, Ann", response.body().strip());
            maven.interruptAndAwaitEnd();
        }
    }
}
