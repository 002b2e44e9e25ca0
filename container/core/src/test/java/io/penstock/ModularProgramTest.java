package io.penstock;

import static io.penstock.PromptWaits.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.Servlet;
import java.io.File;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.slf4j.Logger;

/**
 * Compiles and runs a program that is a Java module. This module requires the library (the module {@code io.penstock.core}). The module
 * path of the program has only the jars that Maven brings with the library. The annotations of JSpecify and Error Prone, which the library
 * uses, are in none of these jars.
 */
class ModularProgramTest {
    private static final String MODULE = """
            module com.example.hello {
                requires io.penstock.core;
            }
            """;

    /** This program implements a method with an annotation of JSpecify: {@code Realm.authenticate} is {@code Nullable}. */
    private static final String PROGRAM = """
            package com.example.hello;

            import io.penstock.Penstock;
            import io.penstock.realm.Realm;
            import jakarta.servlet.http.HttpServlet;
            import jakarta.servlet.http.HttpServletRequest;
            import jakarta.servlet.http.HttpServletResponse;
            import java.io.IOException;
            import java.net.URI;
            import java.nio.charset.StandardCharsets;

            public class Hello extends HttpServlet {
                private static final long serialVersionUID = 1;

                @Override
                protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                    response.getWriter().print("Hello, " + request.getRemoteAddr());
                }

                public static void main(String[] args) throws Exception {
                    Realm nobody = (name, password) -> null;
                    try (Penstock server = Penstock.builder().host("127.0.0.1").port(0).realm(nobody)
                            .context("/", context -> context.servlet("hello", new Hello(), "/hello"))
                            .start()) {
                        URI uri = URI.create("http://127.0.0.1:" + server.port() + "/hello");
                        try (var body = uri.toURL().openStream()) {
                            System.out.print(new String(body.readAllBytes(), StandardCharsets.UTF_8));
                        }
                    }
                }
            }
            """;

    @TempDir
    Path folder;

    @Test
    void aModularProgramNeedsOnlyTheJarsThatMavenBringsWithTheLibrary() throws Exception {
        String library = Stream.of(Penstock.class, Servlet.class, Logger.class, ClassReader.class)
                .map(ModularProgramTest::location)
                .collect(Collectors.joining(File.pathSeparator));
        Path classes = folder.resolve("classes");
        compile(library, classes);

        Path errors = folder.resolve("errors");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--module-path",
                        library + File.pathSeparator + classes,
                        "--module",
                        "com.example.hello/com.example.hello.Hello")
                .redirectError(errors.toFile())
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals("Hello, 127.0.0.1", output, Files.readString(errors));
            assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            assertEquals(0, process.exitValue());
        } finally {
            process.destroyForcibly();
        }
    }

    private void compile(String library, Path classes) throws Exception {
        Path descriptor = Files.writeString(folder.resolve("module-info.java"), MODULE);
        Path program = Files.writeString(folder.resolve("Hello.java"), PROGRAM);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean compiled = compiler.getTask(
                            messages,
                            files,
                            null,
                            List.of("-d", classes.toString(), "--module-path", library, "-proc:none"),
                            null,
                            files.getJavaFileObjects(descriptor, program))
                    .call();
            assertTrue(compiled, messages::toString);
        }
        assertEquals("", messages.toString());
    }

    /** Returns the jar or the folder that contains the class. */
    private static String location(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
