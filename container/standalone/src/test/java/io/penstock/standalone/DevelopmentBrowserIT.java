package io.penstock.standalone;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.HeadlessBrowser;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * Tests the development mode ({@code --dev}) with a browser. The test compiles an application, and opens its page. The test writes
 * screenshots to {@code target/development}. With {@code -Dpenstock.docs=write}, it writes them to {@code docs/images}.
 */
@NeedsProgram({Program.CHROMIUM, Program.CHROMEDRIVER})
class DevelopmentBrowserIT {
    private static final Path PICTURES =
            Path.of("write".equals(System.getProperty("penstock.docs")) ? "../../docs/images" : "target/development");

    @TempDir(factory = InTarget.class)
    Path folder;

    /** The folder of the application, as a relative path. Developers typically use relative paths. */
    private Path web;

    private ChromeDriver browser;

    private static final class InTarget implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.createTempDirectory(Files.createDirectories(Path.of("target/development")), "");
        }
    }

    @BeforeEach
    void createApplication() throws IOException {
        web = Path.of("").toAbsolutePath().relativize(folder.toAbsolutePath()).resolve("shop");
        Files.createDirectories(web.resolve("WEB-INF/classes"));
        compile("Good morning", "");
        browser = HeadlessBrowser.start(options -> options.addArguments("--window-size=1000,640"));
    }

    @AfterEach
    void quit() {
        browser.quit();
    }

    /** Compiles the application into its folder {@code WEB-INF/classes}, as an IDE or Maven does. */
    private void compile(String greeting, String start) throws IOException {
        Path source = Files.createDirectories(folder.resolve("source")).resolve("Hello.java");
        Files.writeString(source, """
                package shop;
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
                        if (request.getQueryString() != null) {
                            throw new IllegalStateException("<" + request.getQueryString() + "> is not for sale");
                        }
                        response.setContentType("text/html");
                        response.getWriter().print("<!DOCTYPE html><title>Shop</title><h1>%s</h1>");
                    }
                }
                """.formatted(start, greeting));
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        web.resolve("WEB-INF/classes").toString(),
                        source.toString());
        assertEquals(0, result, "exit code of javac");
    }

    private String heading() {
        return browser.findElement(By.tagName("h1")).getText();
    }

    /** Waits until the page has this heading. Ignores stale elements, because the browser may load the next page during a check. */
    private void awaitHeading(String expected) {
        new WebDriverWait(browser, PATIENCE)
                .ignoring(StaleElementReferenceException.class)
                .until(shown -> heading().equals(expected));
    }

    private void picture(String name) throws IOException {
        Files.createDirectories(PICTURES);
        Files.write(PICTURES.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
    }

    private static String getWithoutBrowser(int port) throws IOException, InterruptedException {
        return getWithoutBrowser(port, "/hello");
    }

    private static String getWithoutBrowser(int port, String target) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void aFailedStartIsShownAndTheNextVersionIsLoadedAutomatically() throws Exception {
        try (JarProcess jar = JarProcess.run("--port", "0", "--dev", web.toString())) {
            String line = jar.startLine();
            assertTrue(line.contains(" serves /, in development, at http://"), line);
            int port = JarProcess.port(line);
            browser.get("http://127.0.0.1:" + port + "/hello");
            assertEquals("Good morning", heading());

            compile("Good evening", "throw new IllegalStateException(\"no database at db.example\");");
            browser.navigate().refresh();
            assertEquals("/ does not start", heading());
            String reason = browser.findElement(By.id("reason")).getText();
            assertTrue(reason.contains("no database at db.example") && reason.contains("Hello.java:"), reason);
            picture("development-failing");
            assertTrue(jar.log().contains("no database at db.example"), jar.log());
            assertTrue(jar.log().contains("; its former version stays in service"), jar.log());
            assertTrue(getWithoutBrowser(port).contains("Good morning"));

            browser.findElement(By.id("former")).click();
            awaitHeading("Good morning");

            compile("Good evening", "throw new IllegalStateException(\"no table\");");
            browser.navigate().refresh();
            assertEquals("/ does not start", heading(), "the second failure is not shown");
            compile("Good evening", "");
            awaitHeading("Good evening");
            picture("development-recovered");
            assertTrue(jar.log().contains("Reloaded / in "), jar.log());
        }
    }

    @Test
    void anExceptionOfAServletIsShownWithItsStackTrace() throws Exception {
        try (JarProcess jar = JarProcess.run("--port", "0", "--dev", web.toString())) {
            int port = JarProcess.port(jar.startLine());
            browser.get("http://127.0.0.1:" + port + "/hello?umbrella");
            assertEquals("500 Internal Server Error", heading());
            assertEquals(
                    "java.lang.IllegalStateException: <umbrella> is not for sale",
                    browser.findElement(By.id("reason")).getText());
            String trace = browser.findElement(By.tagName("pre")).getText();
            assertTrue(trace.contains("at shop.Hello.doGet(Hello.java:"), trace);
            picture("development-exception");
            String text = getWithoutBrowser(port, "/hello?umbrella");
            assertTrue(
                    text.startsWith("java.lang.IllegalStateException: <umbrella> is not for sale\n\tat shop.Hello."),
                    text);
        }
    }

    @Test
    void changedJspPagesAreCompiledAgain() throws Exception {
        try (JarProcess jar = JarProcess.run("--port", "0", "--dev", web.toString())) {
            int port = JarProcess.port(jar.startLine());
            for (String word : new String[] {"one", "two", "three"}) {
                Files.writeString(web.resolve("page.jsp"), "<h1><%= \"" + word + "\" %></h1>");
                browser.get("http://127.0.0.1:" + port + "/page.jsp");
                assertEquals(word, heading());
            }
        }
    }
}
