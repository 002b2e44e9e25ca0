package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that the Java examples in the user guide, and the entries to public comparisons, compile without changes. */
class DocumentedJavaTest {

    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Path ROOT = Path.of("..", "..");

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    @TempDir
    Path classes;

    @Test
    void theEmbeddingExampleInTheUserGuideCompilesAndStopsTheServerOnExit() throws IOException {
        String code = firstBlock("docs/guide/embedding.md", "class Hello");
        assertCompiles("Hello", code);
        assertTrue(code.contains(".stopOnExit(true)"), code);
    }

    @Test
    void theServerExampleInTheUserGuideCompiles() throws IOException {
        String code = firstBlock("docs/user-guide.md", "Penstock.builder()");
        assertCompiles("Guide", """
                import io.penstock.Penstock;
                import java.nio.file.Path;
                class Guide {
                    static class Hello extends jakarta.servlet.http.HttpServlet {}
                    static void run() throws Exception {
                        %s
                    }
                }
                """.formatted(code));
    }

    @Test
    void theExampleOfDevelopmentModeInTheUserGuideCompiles() throws IOException {
        assertCompiles("Developed", """
                import io.penstock.Penstock;
                import java.nio.file.Path;
                class Developed {
                    static void add(Penstock.Builder builder) {
                        %s
                    }
                }
                """.formatted(firstBlock("docs/guide/deploying.md", ".develop(")));
    }

    @Test
    void theJndiExamplesInTheUserGuideCompile() throws IOException {
        assertCompiles("Orders", """
                import jakarta.annotation.Resource;
                import javax.naming.InitialContext;
                import javax.naming.NamingException;
                import javax.sql.DataSource;
                class Orders {
                    %s
                }
                """.formatted(firstBlock("docs/guide/applications.md", "@Resource")));
        assertCompiles("Named", """
                import io.penstock.Penstock;
                import io.penstock.naming.Naming;
                import java.nio.file.Path;
                class Named {
                    static void run() throws Exception {
                        %s
                    }
                }
                """.formatted(firstBlock("docs/guide/embedding.md", "Naming.withDataSources")));
    }

    @Test
    void theRealmExampleInTheUserGuideCompiles() throws IOException {
        String code = firstBlock("docs/guide/embedding.md", "JdbcRealm");
        assertCompiles("Users", """
                import io.penstock.realm.JdbcRealm;
                import io.penstock.Penstock;
                import io.penstock.realm.Realm;
                class Users {
                    static class Orders extends jakarta.servlet.http.HttpServlet {}
                    static void run(javax.sql.DataSource dataSource) throws Exception {
                        %s
                    }
                }
                """.formatted(code));
    }

    @Test
    void theContextExampleInTheUserGuideCompiles() throws IOException {
        String code = firstBlock("docs/guide/embedding.md", ".listener(");
        assertCompiles("Shop", """
                import io.penstock.Penstock;
                import jakarta.servlet.*;
                import java.nio.file.Path;
                import java.time.Duration;
                class Shop implements ServletContextListener {
                    static class Upload extends jakarta.servlet.http.HttpServlet {}
                    static class Timing extends jakarta.servlet.http.HttpFilter {}
                    static void run() throws Exception {
                        %s
                    }
                }
                """.formatted(code));
    }

    @Test
    void theStreamingExampleInTheUserGuideCompiles() throws IOException {
        String code = firstBlock("docs/guide/applications.md", "penstock.streaming");
        assertCompiles(
                "Live",
                "import jakarta.servlet.annotation.*;\n" + code
                        + "class Live extends jakarta.servlet.http.HttpServlet {}");
    }

    @Test
    void theListenerExampleInTheUserGuideCompiles() throws IOException {
        String code = firstBlock("docs/guide/observing.md", "followsRequests");
        assertCompiles("AccessLog", "import io.penstock.events.*;\n" + code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"httparena", "http11probe"})
    void theEntriesToPublicComparisonsCompile(String entry) throws IOException {
        try (Stream<Path> files =
                Files.walk(ROOT.resolve("loadtest").resolve(entry).resolve("src"))) {
            StandardJavaFileManager manager = COMPILER.getStandardFileManager(null, null, null);
            assertCompiles(manager.getJavaFileObjectsFromPaths(
                    files.filter(file -> file.toString().endsWith(".java")).toList()));
        }
    }

    @Test
    void theExamplesOfEventsAndLongPollingCompile() throws IOException {
        String imports = """
                import jakarta.servlet.*;
                import jakarta.servlet.annotation.WebServlet;
                import jakarta.servlet.http.*;
                import java.io.*;
                import java.nio.charset.StandardCharsets;
                import java.time.LocalTime;
                import java.util.Set;
                import java.util.concurrent.*;
                """;
        String guide = "docs/guide/server-sent-events.md";
        String ticks = firstBlock(guide, "class Ticks");
        assertCompiles(
                "Ticks",
                imports
                        + ticks.substring(0, ticks.lastIndexOf('}'))
                        + """
                    void poll(HttpServletRequest request, HttpServletResponse response) {
                        %s
                    }
                }
                """.formatted(firstBlock(guide, "AsyncContext waiting")));
    }

    @Test
    void theExampleOfAnErrorPageCompiles() throws IOException {
        assertCompiles("Problem", """
                import jakarta.servlet.RequestDispatcher;
                import jakarta.servlet.annotation.WebServlet;
                import jakarta.servlet.http.*;
                import java.io.IOException;
                """ + firstBlock("docs/guide/error-pages.md", "class Problem"));
    }

    private static String firstBlock(String file, String marker) throws IOException {
        Matcher block = BLOCK.matcher(Files.readString(ROOT.resolve(file)));
        while (block.find()) {
            if (block.group(1).contains(marker)) {
                return block.group(1);
            }
        }
        throw new AssertionError(file + " has no Java code with " + marker);
    }

    private void assertCompiles(String name, String code) {
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return code;
                    }
                };
        assertCompiles(List.of(source));
    }

    private void assertCompiles(Iterable<? extends JavaFileObject> sources) {
        StringWriter messages = new StringWriter();
        boolean compiled = COMPILER.getTask(
                        messages,
                        null,
                        null,
                        List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none"),
                        null,
                        sources)
                .call();
        assertTrue(compiled, messages.toString());
        assertEquals("", messages.toString());
    }
}
