package io.penstock.boot.autoconfigure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.Penstock;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tests a Boot application in a WAR that is deployed on a Penstock server. The WAR also contains the Spring Boot starter of Penstock. */
class WarDeploymentTest {
    @TempDir
    Path folder;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    public static class Sample extends SpringBootServletInitializer {
        @Override
        protected SpringApplicationBuilder configure(SpringApplicationBuilder builder) {
            return builder.sources(Sample.class).properties("spring.main.banner-mode=off");
        }

        @GetMapping("/hello")
        public String hello() {
            return "hello from " + getClass().getClassLoader().getClass().getSimpleName();
        }
    }

    @Test
    void aBootApplicationInAWarRunsOnTheServerThatDeploysTheWar() throws Exception {
        Path application = Files.createDirectories(folder.resolve("app/WEB-INF"));
        Path lib = Files.createDirectory(application.resolve("lib"));
        Path classes = Files.createDirectory(application.resolve("classes"));
        Path ofTests = Path.of(
                getClass().getProtectionDomain().getCodeSource().getLocation().toURI());
        int number = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (path.equals(ofTests)) {
                copy(path, classes);
            } else if (entry.contains("test-classes")) {
                continue; // In a build of all modules, these are tests of the core. The WAR does not need them.
            } else if (Files.isDirectory(path)) {
                pack(path, lib.resolve("module" + ++number + ".jar"));
            } else if (!path.getFileName().toString().matches("(jakarta\\.servlet-api|junit|surefire).*")) {
                Files.copy(path, lib.resolve(path.getFileName().toString()));
            }
        }
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .war("/app", folder.resolve("app"))
                .start()) {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/app/hello"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertEquals("hello from WebAppClassLoader", answer.body());
        }
    }

    private static void pack(Path from, Path jar) throws Exception {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new ZipEntry(from.relativize(file).toString()));
                Files.copy(file, out);
            }
        }
    }

    private static void copy(Path from, Path to) throws Exception {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}
