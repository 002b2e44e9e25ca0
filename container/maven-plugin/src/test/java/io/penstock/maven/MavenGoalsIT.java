package io.penstock.maven;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the goals of the plugin. Each test creates a project in a new folder, and runs Maven in this folder. */
class MavenGoalsIT {
    private static final String SERVLET = """
            package com.example;
            import jakarta.servlet.*;
            import jakarta.servlet.annotation.*;
            import jakarta.servlet.http.*;
            import java.io.IOException;
            @WebListener
            @WebServlet("/hello")
            public class Hello extends HttpServlet implements ServletContextListener {
                @Override
                public void contextInitialized(ServletContextEvent event) {
                    %s
                }
                @Override
                protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                    String name = new String(Hello.class.getResourceAsStream("/name.txt").readAllBytes());
                    response.getWriter().print("%s, " + name);
                }
            }
            """;

    /** Prints the name of a parameter, which a class has only if the compiler was told to keep it. */
    private static final String PARAMETER =
            "\" + java.util.Arrays.stream(Hello.class.getDeclaredMethods()).filter(method -> method.getName().equals(\"doGet\"))"
                    + ".findFirst().orElseThrow().getParameters()[0].getName() + \"";

    @TempDir
    static Path folder;

    private static LocalRepository repository;

    @BeforeAll
    static void makeRepository() throws IOException {
        repository = LocalRepository.in(folder);
    }

    private static WebProject shop(String name) throws IOException {
        return WebProject.in(folder.resolve(name))
                .with("src/main/webapp/index.html", "a file")
                .with("src/main/webapp/page.jsp", "<%= 1 + 1 %>")
                .with("src/main/resources/name.txt", "Ann")
                .with("src/main/java/com/example/Hello.java", SERVLET.formatted("", "Hello"));
    }

    private static HttpResponse<String> get(int port, String path, String... fields) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE);
        return HttpClient.newHttpClient()
                .send(
                        fields.length == 0
                                ? request.build()
                                : request.headers(fields).build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private static String body(int port, String path) throws Exception {
        return get(port, path).body();
    }

    @Test
    void theRunGoalServesTheSourcesOfTheProjectAndDetectsLaterChanges() throws Exception {
        WebProject shop = shop("run")
                .withPom(
                        "",
                        "shop",
                        "<packaging>war</packaging><dependencies>" + WebProject.servletApi() + "</dependencies>"
                                + WebProject.plugins(WebProject.penstock("")));
        try (MavenRun maven = MavenRun.start(
                repository, shop.folder(), "penstock:run", "-Dpenstock.port=0", "-Dmaven.compiler.parameters=true")) {
            int port = maven.port();
            assertEquals("Hello, Ann", body(port, "/hello"));
            assertEquals("2", body(port, "/page.jsp").strip());
            assertEquals("a file", body(port, "/"));

            shop.with("src/main/webapp/index.html", "another file");
            assertEquals("another file", body(port, "/"));
            shop.with("src/main/webapp/page.jsp", "<%= 1 + 2 %>");
            assertEquals("3", body(port, "/page.jsp").strip());
            shop.with("src/main/resources/name.txt", "Bob");
            assertEquals("Hello, Bob", body(port, "/hello"));

            // The server compiles the sources.
            shop.with("src/main/java/com/example/Hello.java", SERVLET.formatted("", "Good morning"));
            assertEquals("Good morning, Bob", body(port, "/hello"));
            shop.with("src/main/java/com/example/Hello.java", SERVLET.formatted("int none = \"many\";", "Good night"));
            HttpResponse<String> error = get(port, "/hello", "Accept", "text/html");
            assertEquals(500, error.statusCode());
            assertTrue(error.body().contains("Hello.java:11: error: incompatible types"), error.body());
            maven.awaitLine("Hello.java:11: error: incompatible types: String cannot be converted to int");
            shop.with("src/main/java/com/example/Hello.java", SERVLET.formatted("", "Good morning"));
            assertEquals(
                    "Good morning, Bob",
                    get(port, "/hello", "Accept", "text/html").body());
            shop.with("src/main/java/com/example/Hello.java", SERVLET.formatted("", PARAMETER));
            assertEquals(
                    "request, Bob", body(port, "/hello"), "the configuration of the compiler plugin has no effect");
            shop.with("src/main/java/com/example/Hello.java", SERVLET.formatted("", "Good morning"));
            assertEquals("Good morning, Bob", body(port, "/hello"));

            shop.with(
                    "src/main/java/com/example/Hello.java",
                    SERVLET.formatted("throw new IllegalStateException(\"no database\");", "Good evening"));
            shop.compile("");
            HttpResponse<String> shown = get(port, "/hello", "Accept", "text/html");
            assertEquals(500, shown.statusCode());
            assertTrue(shown.body().contains("no database"), shown.body());
            maven.awaitLine("no database");
            assertEquals("Good morning, Bob", body(port, "/hello"), "the former version must still be served");
            maven.interruptAndAwaitEnd();
        }
    }

    /** Puts an archive into the repository. */
    private static void install(String group, String artifact, String type, Map<String, String> files)
            throws IOException {
        Path of = Files.createDirectories(repository
                .folder()
                .resolve(group.replace('.', '/'))
                .resolve(artifact)
                .resolve("1"));
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(of.resolve(artifact + "-1." + type)))) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        Files.writeString(
                of.resolve(artifact + "-1.pom"),
                "<project><modelVersion>4.0.0</modelVersion><groupId>" + group + "</groupId><artifactId>" + artifact
                        + "</artifactId><version>1</version><packaging>" + type + "</packaging></project>");
    }

    @Test
    void mavenCleanDoesNotAffectTheRunningServer() throws Exception {
        install("com.example", "skin", "war", Map.of("skin.css", "of the skin", "page.jsp", "hidden"));
        install("org.example", "skin", "war", Map.of("other.css", "of another group"));
        install("com.example", "left-out", "jar", Map.of("META-INF/resources/left-out.txt", "optional"));
        String counting = """
                package com.example;
                import jakarta.servlet.annotation.*;
                import jakarta.servlet.http.*;
                import java.io.IOException;
                @WebServlet("/count")
                public class Count extends HttpServlet {
                    @Override
                    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                        Object before = request.getSession().getAttribute("count");
                        int count = before == null ? 1 : (Integer) before + 1;
                        request.getSession().setAttribute("count", count);
                        response.getWriter().print("%s " + count);
                    }
                }
                """;
        WebProject shop = WebProject.in(folder.resolve("cleaned"))
                .with("src/main/java/com/example/Count.java", counting.formatted("first"))
                .withPom(
                        "",
                        "shop",
                        "<packaging>war</packaging><dependencies>" + WebProject.servletApi()
                                + WebProject.dependency("com.example:skin:1:war", "runtime")
                                + WebProject.dependency("org.example:skin:1:war", "runtime")
                                + WebProject.dependency("com.example:left-out:1", "compile")
                                        .replace("</dependency>", "<optional>true</optional></dependency>")
                                + "</dependencies>" + WebProject.plugins(WebProject.penstock("""
                                        <executions>
                                          <execution>
                                            <phase>process-classes</phase>
                                            <goals><goal>stop</goal></goals>
                                            <configuration><skip>true</skip></configuration>
                                          </execution>
                                        </executions>
                                        """)));
        try (MavenRun maven = MavenRun.start(repository, shop.folder(), "penstock:run", "-Dpenstock.port=0")) {
            int port = maven.port();
            HttpResponse<String> first = get(port, "/count");
            assertEquals("first 1", first.body());
            String cookie =
                    first.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
            assertEquals("of the skin", body(port, "/skin.css"));
            assertEquals("of another group", body(port, "/other.css"));
            assertEquals(404, get(port, "/left-out.txt").statusCode(), "an optional dependency must not be served");

            shop.with("src/main/java/com/example/Count.java", counting.formatted("second"));
            try (MavenRun other = MavenRun.start(repository, shop.folder(), "clean")) {
                other.awaitSuccess();
            }
            assertFalse(Files.exists(shop.folder().resolve("target")));
            try (MavenRun other = MavenRun.start(repository, shop.folder(), "clean", "compile")) {
                other.awaitSuccess();
            }
            assertEquals("second 2", get(port, "/count", "Cookie", cookie).body());
            assertEquals("of the skin", body(port, "/skin.css"));
            shop.with("src/main/webapp/late.txt", "late");
            shop.with("src/main/java/com/example/Count.java", counting.formatted("third"));
            shop.compile("");
            assertEquals("third 3", get(port, "/count", "Cookie", cookie).body());
            assertEquals("late", body(port, "/late.txt"), "a new folder src/main/webapp must be served");
            String output = maven.interruptAndAwaitEnd();
            assertTrue(
                    output.contains("The server does not compile the sources, but follows target/classes:"
                            + " classes are made by penstock-maven-plugin"),
                    output);
        }
    }

    @Test
    void theApplicationContainsOtherMavenModulesAndWarOverlays() throws Exception {
        install("com.example", "theme", "war", Map.of("theme.css", "of the theme", "index.html", "hidden"));
        String order = "package com.example; public class Order { public static String text() { return \"%s\"; } }";
        WebProject shop = WebProject.in(folder.resolve("modules"))
                .withPom(
                        "",
                        "parent",
                        "<packaging>pom</packaging><modules><module>orders</module><module>web</module></modules>")
                .withPom("orders/", "orders", WebProject.plugins(""))
                .with("orders/src/main/java/com/example/Order.java", order.formatted("one"))
                .with("orders/src/main/resources/META-INF/resources/order.txt", "of the module")
                .withPom(
                        "web/",
                        "web",
                        "<packaging>war</packaging><dependencies>" + WebProject.servletApi()
                                + WebProject.dependency("com.example:orders:1", "compile")
                                + WebProject.dependency("com.example:theme:1:war", "runtime")
                                + "</dependencies>" + WebProject.plugins(WebProject.penstock("")))
                .with("web/src/main/webapp/index.html", "of the shop")
                .with("web/src/test/resources/name.txt", "Tess")
                .with("web/src/main/java/com/example/Hello.java", SERVLET.formatted("", "\" + Order.text() + \""));
        try (MavenRun maven = MavenRun.start(
                repository,
                shop.folder(),
                "io.penstock:penstock-maven-plugin:" + System.getProperty("penstock.version") + ":run",
                "-Dpenstock.port=0",
                "-Dpenstock.contextPath=/shop",
                "-Dpenstock.fork=true",
                "-Dpenstock.jvmArguments=-Xmx128m",
                "-Dpenstock.useTestClasspath=true")) {
            int port = maven.port();
            assertEquals("one, Tess", body(port, "/shop/hello"));
            assertEquals("of the module", body(port, "/shop/order.txt"));
            assertEquals("of the theme", body(port, "/shop/theme.css"));
            assertEquals("of the shop", body(port, "/shop/index.html"));

            shop.with("orders/src/main/java/com/example/Order.java", order.formatted("two"));
            shop.compile("orders");
            assertEquals("two, Tess", body(port, "/shop/hello"));
            String output = maven.interruptAndAwaitEnd();
            assertTrue(output.contains("orders is not a web application: nothing to serve"), output);
        }
    }

    @Test
    void theStartAndStopGoalsRunTheServerForIntegrationTests() throws Exception {
        WebProject shop = shop("verify")
                .with("src/test/java/com/example/HelloIT.java", """
                        package com.example;
                        import static org.junit.jupiter.api.Assertions.assertEquals;
                        import java.net.URI;
                        import java.net.http.*;
                        import org.junit.jupiter.api.Test;
                        class HelloIT {
                            @Test
                            void itServes() throws Exception {
                                URI uri = URI.create("http://127.0.0.1:" + Integer.getInteger("shop.port") + "/hello");
                                assertEquals("Hello, Ann", HttpClient.newHttpClient()
                                        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                                        .body());
                            }
                        }
                        """)
                .withPom(
                        "",
                        "shop",
                        "<packaging>war</packaging><dependencies>" + WebProject.servletApi()
                                + WebProject.dependency(
                                        "org.junit.jupiter:junit-jupiter:" + System.getProperty("junit.version"),
                                        "test")
                                + "</dependencies>"
                                + WebProject.plugins("""
                                        <plugin>
                                          <artifactId>maven-failsafe-plugin</artifactId>
                                          <version>3.5.4</version>
                                          <configuration>
                                            <systemPropertyVariables><shop.port>${shop.port}</shop.port></systemPropertyVariables>
                                          </configuration>
                                          <executions>
                                            <execution><goals><goal>integration-test</goal><goal>verify</goal></goals></execution>
                                          </executions>
                                        </plugin>
                                        """ + WebProject.penstock("""
                                        <configuration>
                                          <port>0</port>
                                          <portProperty>shop.port</portProperty>
                                          <settings><workers>2</workers></settings>
                                        </configuration>
                                        <executions>
                                          <execution><goals><goal>start</goal><goal>stop</goal></goals></execution>
                                        </executions>
                                        """)));
        try (MavenRun maven = MavenRun.start(repository, shop.folder(), "verify")) {
            String output = maven.awaitSuccess();
            assertTrue(output.contains("Tests run: 1, Failures: 0"), output);
            assertTrue(output.contains("Penstock has stopped"), output);
        }
        try (MavenRun maven = MavenRun.start(repository, shop.folder(), "verify", "-Dpenstock.fork=true")) {
            String output = maven.awaitSuccess();
            assertTrue(output.contains("Tests run: 1, Failures: 0"), output);
            assertTrue(output.contains("Penstock has stopped"), output);
        }
        try (MavenRun maven =
                MavenRun.start(repository, shop.folder(), "verify", "-Dpenstock.skip=true", "-DskipITs=true")) {
            String output = maven.awaitSuccess();
            assertTrue(output.contains("Penstock is skipped"), output);
            assertFalse(output.contains("Penstock serves"), output);
        }
        try (MavenRun maven =
                MavenRun.start(repository, shop.folder(), "penstock:run-war", "-DskipTests", "-Dpenstock.port=0")) {
            int port = maven.port();
            assertEquals("Hello, Ann", body(port, "/hello"));
            shop.with("src/main/resources/name.txt", "Bob");
            try (MavenRun other = MavenRun.start(repository, shop.folder(), "clean", "package", "-DskipTests")) {
                other.awaitSuccess();
            }
            maven.awaitLine("Reloaded / in ");
            assertEquals("Hello, Bob", body(port, "/hello"));
            maven.interruptAndAwaitEnd();
        }
    }

    @Test
    void theErrorForAnInvalidSettingContainsTheNameOfThePomFile() throws Exception {
        WebProject shop = shop("wrong")
                .withPom(
                        "",
                        "shop",
                        "<packaging>war</packaging><dependencies>" + WebProject.servletApi() + "</dependencies>"
                                + WebProject.plugins(
                                        WebProject.penstock(
                                                "<configuration><settings><workers>many</workers></settings></configuration>")));
        try (MavenRun maven = MavenRun.start(repository, shop.folder(), "penstock:run")) {
            maven.awaitLine("workers: 'many' is not a whole number (from pom.xml)");
        }
    }
}
