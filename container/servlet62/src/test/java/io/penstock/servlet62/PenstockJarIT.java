package io.penstock.servlet62;

import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code penstock.jar}, which contains an earlier version of the API, with the API of Servlet 6.2 before it in the class path. */
class PenstockJarIT {
    private static final String JAR = System.getProperty("penstock.jar", "../standalone/target/penstock.jar");
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:([0-9]+)/");

    @TempDir
    Path folder;

    /** The application. */
    @WebServlet("/hints")
    public static class Hints extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setHeader("Link", "</style.css>");
            response.sendEarlyHints();
            response.getWriter().print("done");
        }
    }

    @Test
    void anApplicationSendsEarlyHintsByTheInterface() throws Exception {
        Path errors = folder.resolve("errors");
        Process process = start(application(), errors);
        try (BufferedReader out = process.inputReader()) {
            Matcher address = ADDRESS.matcher(String.valueOf(out.readLine()));
            assertTrue(address.find(), () -> read(errors));
            String answer = Servlet62Test.send(Integer.parseInt(address.group(1)), "GET", "/hints", "", "");
            assertTrue(
                    answer.startsWith("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\nHTTP/1.1 200 "),
                    () -> answer + read(errors));
            assertTrue(answer.endsWith("\r\n\r\ndone"), answer);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** Makes an unpacked application. */
    private Path application() throws IOException {
        Path application = folder.resolve("app");
        String name = Hints.class.getName().replace('.', '/') + ".class";
        Path file = application.resolve("WEB-INF/classes").resolve(name);
        Files.createDirectories(file.getParent());
        try (InputStream in = Objects.requireNonNull(Hints.class.getResourceAsStream("/" + name))) {
            Files.copy(in, file);
        }
        return application;
    }

    private static Process start(Path application, Path errors) throws Exception {
        Path api = Path.of(HttpServletResponse.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                api + File.pathSeparator + JAR,
                "io.penstock.standalone.Main",
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                application.toString());
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("PENSTOCK_") || name.equals("JAVA_TOOL_OPTIONS"));
        return builder.redirectError(errors.toFile()).start();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
