package io.penstock.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the site of the documents in the archive. {@code release/stage --no-site} makes a release without it. A browser opens the site from
 * a folder, without a server.
 */
@EnabledIfSystemProperty(named = "penstock.site", matches = "true")
class SiteIT {
    private static final Pattern LOADED = Pattern.compile("<(?:script|img|iframe)[^>]* src=\"([^\"]*)\""
            + "|<link[^>]* rel=\"(?:stylesheet|icon)\"[^>]* href=\"([^\"]*)\""
            + "|<link[^>]* href=\"([^\"]*)\"[^>]* rel=\"(?:stylesheet|icon)\"");
    private static final Pattern FOUND = Pattern.compile("<a href=\"([^\"]*)\"[^>]*class=\"md-search-result__link\"");

    @TempDir
    static Path folder;

    private static Path site;

    @BeforeAll
    static void unpack() throws Exception {
        String archive = "penstock-" + Staging.version();
        Staging.Result result = Staging.run(
                folder, List.of("tar", "-xzf", Staging.file(archive + ".tar.gz").toString(), archive + "/docs"));
        assertEquals(0, result.exitCode(), result.text());
        site = folder.resolve(archive).resolve("docs");
    }

    @Test
    void noPageLoadsAnythingFromAnotherHost() throws Exception {
        List<Path> pages;
        try (Stream<Path> files = Files.walk(site)) {
            pages = files.filter(file -> file.toString().endsWith(".html")).toList();
        }
        assertTrue(pages.contains(site.resolve("index.html")) && pages.contains(site.resolve("api/index.html")));
        for (Path page : pages) {
            Matcher loaded = LOADED.matcher(Files.readString(page));
            while (loaded.find()) {
                String target = loaded.group().replaceAll(".* (?:src|href)=\"([^\"]*)\".*", "$1");
                assertTrue(!target.contains("//") || target.startsWith("data:"), page + " loads " + target);
            }
        }
    }

    @ParameterizedTest
    @NeedsProgram(Program.CHROMIUM)
    @CsvSource({
        "upload limit, guide/applications.html, upload-limits",
        "single page application, guide/single-page-applications.html, ''",
        "session timeout, guide/sessions.html, session-timeout",
        "client certificates, tls.html, certificates-of-clients",
        "access log format, guide/observing.html, access-log",
        "workers, operations.html, queue-and-workers",
        "SSE, guide/server-sent-events.html, ''",
        "several hosts, guide/deploying.html, several-hosts",
        "JNDI, guide/applications.html, jndi-names-and-data-sources",
        "Kubernetes, guide/kubernetes.html, deploy",
        "memory per connection, performance.html, memory-and-start",
        "HTTP/2, protocols.html, http2"
    })
    void theSearchFindsThePageAndTheSectionOfATask(String question, String page, String section) throws Exception {
        URI url = URI.create(site.resolve("index.html").toUri() + "?q="
                + URLEncoder.encode(question, StandardCharsets.UTF_8).replace("+", "%20"));
        // The browser's clock is virtual: it stands while the page loads something, so a slow machine changes nothing.
        Staging.Result result = Staging.run(
                folder,
                List.of(
                        Program.CHROMIUM.path().toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--user-data-dir=" + folder.resolve("profile of " + page.replace("/", "-")),
                        "--virtual-time-budget=20000",
                        "--dump-dom",
                        url.toString()));
        Matcher found = FOUND.matcher(result.text());
        assertTrue(found.find(), result.text());
        assertTrue(found.group(1).contains("/docs/" + page), question + " finds " + found.group(1));
        // Below a page, the search shows its sections. A page without a section here is about the question as a whole.
        assertTrue(found.find(), result.text());
        String best = found.group(1);
        assertTrue(best.contains("/docs/" + page), question + " finds " + best);
        assertTrue(section.isEmpty() || best.endsWith("#" + section), question + " finds " + best);
    }
}
