package io.penstock.boot.autoconfigure;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.NeedsProgram;
import io.penstock.testing.OcspAuthority;
import io.penstock.testing.Program;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.loader.launch.JarLauncher;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Tests an executable jar in the format of Boot's build plugins: a jar that contains Boot's loader and other jars. The application runs in
 * a separate process.
 */
class ExecutableJarTest {
    private static final Pattern STARTED = Pattern.compile("Penstock started on port ([0-9]+) ");

    @TempDir
    Path folder;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    public static class Sample {
        public static void main(String[] arguments) {
            SpringApplication.run(Sample.class, arguments);
        }

        @GetMapping("/hello")
        public String hello() {
            return "hello";
        }
    }

    @Test
    void theApplicationServesFilesOfNestedJarsAndStopsGracefully() throws Exception {
        Process process = start("--spring.mvc.servlet.path=/api", "--server.servlet.register-default-servlet=true");
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            int port = port(lines);
            assertEquals("hello", get(port, "/api/hello"));
            assertEquals("of a jar in the jar", get(port, "/library.txt"));
            // This call sends SIGTERM. In contrast, process.destroy() would also close the stream that the test still
            // reads.
            process.toHandle().destroy();
            String rest = String.join("\n", lines.lines().toList());
            assertTrue(process.waitFor(1, TimeUnit.MINUTES));
            assertTrue(rest.contains("Graceful shutdown is complete"), rest);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    @NeedsProgram(Program.OPENSSL)
    void clientsGetTheAnswerOfTheOcspResponder() throws Exception {
        try (OcspAuthority authority = new OcspAuthority(folder)) {
            Process process =
                    start("--server.penstock.tls-cert=" + authority.chain(), "--server.penstock.tls-ocsp-stapling=on");
            try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                int port = port(lines);
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> authority.handshake(port).contains("OCSP Response Status: successful"));
            } finally {
                process.destroyForcibly();
            }
        }
    }

    /** Starts the application at a free port. */
    private Process start(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                executableJar().toString(),
                "--server.port=0"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static int port(BufferedReader lines) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher started = STARTED.matcher(line);
            if (started.find()) {
                return Integer.parseInt(started.group(1));
            }
            all.append(line).append('\n');
        }
        throw new AssertionError("the application has not started: " + all);
    }

    private static String get(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofMinutes(1))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private Path executableJar() throws Exception {
        Path file = folder.resolve("app.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file))) {
            put(
                    out,
                    "META-INF/MANIFEST.MF",
                    ("Manifest-Version: 1.0\nMain-Class: " + JarLauncher.class.getName()
                                    + "\nStart-Class: " + Sample.class.getName()
                                    + "\nSpring-Boot-Classes: BOOT-INF/classes/\nSpring-Boot-Lib: BOOT-INF/lib/\n")
                            .getBytes(StandardCharsets.UTF_8));
            putLoader(out);
            Path ofTests = Path.of(getClass()
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            int number = 0;
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                Path path = Path.of(entry);
                if (path.equals(ofTests)) {
                    putFolder(out, path);
                } else if (Files.isDirectory(path) && !entry.contains("test-classes")) {
                    store(out, "BOOT-INF/lib/module" + ++number + ".jar", packed(path));
                } else if (entry.endsWith(".jar")
                        && !path.getFileName().toString().matches("(junit|surefire).*")) {
                    store(out, "BOOT-INF/lib/" + path.getFileName(), Files.readAllBytes(path));
                }
            }
            store(out, "BOOT-INF/lib/files.jar", library());
        }
        return file;
    }

    private static void putLoader(JarOutputStream out) throws Exception {
        URI loader = JarLauncher.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        Set<String> seen = new HashSet<>();
        try (JarInputStream in = new JarInputStream(Files.newInputStream(Path.of(loader)))) {
            for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
                if (!entry.isDirectory() && seen.add(entry.getName())) {
                    put(out, entry.getName(), in.readAllBytes());
                }
            }
        }
    }

    private static void putFolder(JarOutputStream out, Path from) throws IOException {
        out.putNextEntry(new ZipEntry("BOOT-INF/"));
        out.putNextEntry(new ZipEntry("BOOT-INF/classes/"));
        try (Stream<Path> files = Files.walk(from)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                put(out, "BOOT-INF/classes/" + from.relativize(each), Files.readAllBytes(each));
            }
        }
    }

    private static byte[] packed(Path from) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream out = new JarOutputStream(bytes);
                Stream<Path> files = Files.walk(from)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                put(out, from.relativize(each).toString(), Files.readAllBytes(each));
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] library() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream out = new JarOutputStream(bytes)) {
            out.putNextEntry(new ZipEntry("META-INF/"));
            out.putNextEntry(new ZipEntry("META-INF/resources/"));
            put(out, "META-INF/resources/library.txt", "of a jar in the jar".getBytes(StandardCharsets.US_ASCII));
        }
        return bytes.toByteArray();
    }

    private static void put(JarOutputStream out, String name, byte[] content) throws IOException {
        out.putNextEntry(new ZipEntry(name));
        out.write(content);
    }

    /** Adds an entry without compression. The loader can read jars within a jar only if they are not compressed. */
    private static void store(JarOutputStream out, String name, byte[] content) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(content.length);
        CRC32 crc = new CRC32();
        crc.update(content);
        entry.setCrc(crc.getValue());
        out.putNextEntry(entry);
        try (InputStream in = new ByteArrayInputStream(content)) {
            in.transferTo(out);
        }
    }
}
