package io.penstock.standalone;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.Penstock;
import io.penstock.realm.Realm;
import io.penstock.testing.HeadlessBrowser;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.chrome.ChromeDriver;

/**
 * Tests CORS with a browser. A page of one server uses the API of another server. The browser sends a preflight request, and the CORS rules
 * of the API server decide whether the page may use the API. The API needs a login.
 */
@NeedsProgram({Program.CHROMIUM, Program.CHROMEDRIVER})
class CrossOriginBrowserIT {
    @TempDir
    static Path folder;

    private static Penstock pages;
    private static Penstock api;
    private static ChromeDriver browser;

    private static final class Ann implements Realm {
        @Override
        public @Nullable User authenticate(String name, String password) {
            return name.equals("ann") && password.equals("secret") ? new User(name, Set.of("staff")) : null;
        }
    }

    private static final class Api extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.addCookie(new Cookie("seen", "yes"));
            response.setIntHeader("X-Total", 42);
            response.setHeader("X-Hidden", "hidden");
            Cookie[] cookies = request.getCookies();
            response.getWriter()
                    .print(request.getMethod() + " by " + request.getRemoteUser() + ", "
                            + (cookies == null ? 0 : cookies.length) + " cookies");
        }
    }

    @BeforeAll
    static void start() throws Exception {
        Path page = Files.createDirectories(folder.resolve("page"));
        Files.writeString(page.resolve("index.html"), "<!DOCTYPE html><title>A page</title>");
        pages = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .context("/", context -> context.resources(page))
                .start();
        Path rules = Files.writeString(folder.resolve("rules.txt"), """
                /api/*     Access-Control-Allow-Origin: http://localhost:%d
                /api/*     Access-Control-Allow-Methods: PUT
                /api/*     Access-Control-Allow-Headers: Authorization
                /api/*     Access-Control-Expose-Headers: X-Total
                /api/*     Access-Control-Allow-Credentials: true
                /api/no/*  Access-Control-Allow-Origin: http://other.example
                """.formatted(pages.port()));
        api = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("response-rules", rules.toString())
                .realm(new Ann())
                .context("/api", context -> context.servlet("api", new Api(), "/*")
                        .constrain("/*", "staff")
                        .basicLogin("api"))
                .start();
        browser = HeadlessBrowser.start(options -> {});
        browser.manage().timeouts().scriptTimeout(PATIENCE);
        browser.get("http://localhost:" + pages.port() + "/");
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.quit();
        }
        if (api != null) {
            api.close();
        }
        if (pages != null) {
            pages.close();
        }
    }

    /**
     * Sends a request from the page, with the login of the user ann. Returns the text of the response and two header fields, or the name of
     * the error.
     */
    private static Object fetch(String path, String method) {
        return browser.executeAsyncScript("""
                const done = arguments[arguments.length - 1];
                fetch('http://localhost:%d%s', {method: '%s', credentials: 'include',
                        headers: {Authorization: 'Basic ' + btoa('ann:secret')}})
                    .then(answer => answer.text().then(text => done(text + ', total ' + answer.headers.get('X-Total')
                        + ', hidden ' + answer.headers.get('X-Hidden'))))
                    .catch(error => done(error.name));
                """.formatted(api.port(), path, method));
    }

    @Test
    void thePageReceivesTheResponseAfterAPreflightRequest() {
        // The response to this request sets a cookie. The browser sends this cookie in the request for /api/second.
        fetch("/api/first", "PUT");
        assertEquals("PUT by ann, 1 cookies, total 42, hidden null", fetch("/api/second", "PUT"));
    }

    @Test
    void theBrowserRejectsARequestThatTheCorsRulesForbid() {
        assertEquals("TypeError", fetch("/api/second", "DELETE"), "a forbidden method was allowed");
        assertEquals("TypeError", fetch("/api/no/x", "PUT"), "a path for another origin was allowed");
        assertEquals("TypeError", fetch("/elsewhere", "PUT"), "a path without a rule was allowed");
    }

    @Test
    void aPageCanReadTheStatus401AfterARequestWithoutALogin() {
        assertEquals("401", browser.executeAsyncScript("""
                const done = arguments[arguments.length - 1];
                fetch('http://localhost:%d/api/x', {method: 'PUT', credentials: 'omit'})
                    .then(answer => done('' + answer.status)).catch(error => done(error.name));
                """.formatted(api.port())));
    }
}
