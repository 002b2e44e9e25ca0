package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * If an application has the setting {@code directory-listing}, the server makes a page for each folder that has no welcome file. The page
 * has links to the files and folders in this folder.
 */
class DirectoryListingTest {
    private static final Pattern LINK = Pattern.compile("<a href=\"([^\"]*)\">([^<]*)</a>");

    @TempDir
    Path folder;

    private Penstock server;

    @BeforeEach
    void start() throws Exception {
        write("docs/zebra.txt", 10);
        write("docs/Apple.pdf", 1_536);
        write("docs/b/inner.txt", 1);
        write("docs/.secret", 1);
        write("docs/.git/config", 1);
        write("docs/a&b <c>\"d' %41?#.txt", 1);
        write("docs/\u00fcber.txt", 1);
        write("docs/javascript:alert(1)", 1);
        write("empty/.keep", 1);
        write("welcome/index.html", 5);
        write("META-INF/x.txt", 1);
        write("WEB-INF/classes/y.txt", 1);
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("/files:directory-listing", "on")
                .context("/files", context -> context.resources(folder))
                .context("/off", context -> context.resources(folder))
                .start();
    }

    private void write(String name, int size) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[size]);
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("1994-11-06T08:49:37Z")));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private RawExchange get(String target) throws IOException {
        return RawExchange.get(server, target);
    }

    private static String page(RawExchange answer) {
        assertEquals(200, answer.status(), answer.head());
        assertEquals(List.of("text/html;charset=UTF-8"), answer.values("Content-Type"));
        return new String(answer.whole().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static List<String> links(String page) {
        return LINK.matcher(page)
                .results()
                .map(MatchResult::group)
                .map(link -> link.replaceAll("<a href=|</a>", ""))
                .toList();
    }

    @Test
    void aListingShowsFoldersBeforeFilesAndOmitsHiddenFiles() throws Exception {
        String page = page(get("/files/docs/"));
        assertEquals(
                List.of(
                        "\"../\">..",
                        "\"b/\">b/",
                        "\"a&amp;b%20%3Cc%3E%22d&#39;%20%2541%3F%23.txt\">a&amp;b &lt;c&gt;&quot;d&#39; %41?#.txt",
                        "\"Apple.pdf\">Apple.pdf",
                        "\"javascript%3Aalert(1)\">javascript:alert(1)",
                        "\"zebra.txt\">zebra.txt",
                        "\"%C3%BCber.txt\">\u00fcber.txt"),
                links(page));
        assertTrue(page.contains("<h1>/files/docs/</h1>"), page);
        assertTrue(page.contains("<span title=\"1536 bytes\">1.5 KB</span>"), page);
        assertTrue(page.contains("<time datetime=\"1994-11-06T08:49:37Z\">1994-11-06 08:49</time>"), page);
    }

    @Test
    void eachLinkLeadsToAnExistingFileOrFolder() throws Exception {
        for (String link : links(page(get("/files/docs/")))) {
            String target = link.substring(1, link.indexOf('"', 1))
                    .replace("&amp;", "&")
                    .replace("&#39;", "'");
            assertEquals(200, get("/files/docs/" + target).status(), target);
        }
    }

    @Test
    void webInfAndMetaInfAndDotFoldersAreHidden() throws Exception {
        assertEquals(
                List.of("\"docs/\">docs/", "\"empty/\">empty/", "\"welcome/\">welcome/"), links(page(get("/files/"))));
        for (String hidden : List.of("/files/WEB-INF/", "/files/META-INF/", "/files/web-inf/classes/")) {
            assertEquals(404, get(hidden).status(), hidden);
        }
        assertEquals(404, get("/files/docs/.git/").status(), "status for a folder whose name begins with a dot");
        assertEquals(List.of("\"../\">.."), links(page(get("/files/empty/"))));
    }

    @Test
    void theWelcomeFileIsSentAndAFolderPathWithoutASlashIsRedirected() throws Exception {
        RawExchange welcome = get("/files/welcome/");
        assertEquals("\0\0\0\0\0", welcome.body());
        RawExchange slash = get("/files/docs?a=b");
        assertEquals(302, slash.status());
        assertTrue(slash.values("Location").get(0).endsWith("/files/docs/?a=b"), slash.head());
    }

    @Test
    void aHeadRequestGetsNoBodyAndAPostRequestGets404() throws Exception {
        RawExchange head = RawExchange.of(server, "HEAD /files/docs/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assertEquals(200, head.status());
        assertEquals("", head.body());
        RawExchange post = RawExchange.of(
                server, "POST /files/docs/ HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        assertEquals(404, post.status());
    }

    @Test
    void scriptsInFileNamesCannotRun() throws Exception {
        RawExchange answer = get("/files/docs/");
        assertEquals(
                List.of("default-src 'none'; style-src 'unsafe-inline'"), answer.values("Content-Security-Policy"));
        assertFalse(page(answer).contains("<c>"));
    }

    @Test
    void directoryListingsAreDisabledByDefault() throws Exception {
        assertEquals(404, get("/off/docs/").status());
        assertEquals(404, get("/off/").status());
    }
}
