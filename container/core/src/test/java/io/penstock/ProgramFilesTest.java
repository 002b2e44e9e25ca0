package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the files, MIME types and names that an embedding program sets for a context. */
class ProgramFilesTest {
    @TempDir
    Path folder;

    private final AtomicReference<ServletContext> seen = new AtomicReference<>();

    private Penstock start(Consumer<Context> definition) throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/", context -> {
                    definition.accept(context);
                    context.initializer((none, servletContext) -> seen.set(servletContext));
                })
                .start();
    }

    private static HttpResponse<String> get(Penstock server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private Path archive(String name, String... entries) throws Exception {
        Path file = folder.resolve(name);
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String entry : entries) {
                zip.putNextEntry(new ZipEntry(entry));
                if (!entry.endsWith("/")) {
                    zip.write((name + ":" + entry).getBytes(StandardCharsets.US_ASCII));
                }
            }
        }
        return file;
    }

    @Test
    void theResourceFolderIsSearchedFirstAndThenTheLibrariesInTheirOrder() throws Exception {
        Path site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("a.txt"), "site");
        Path classes = Files.createDirectories(folder.resolve("classes/META-INF/resources"));
        Files.writeString(classes.resolve("a.txt"), "classes");
        Files.writeString(classes.resolve("b.txt"), "classes");
        Path jar = archive(
                "lib.jar", "META-INF/", "META-INF/resources/", "META-INF/resources/b.txt", "META-INF/resources/c.txt");
        Path without = archive("without.jar", "x.txt");
        try (Penstock server = start(context -> context.resources(site)
                .libraryResources(folder.resolve("classes"))
                .libraryResources(without)
                .libraryResources(jar))) {
            assertEquals("site", get(server, "/a.txt").body());
            assertEquals("classes", get(server, "/b.txt").body());
            assertEquals(
                    "lib.jar:META-INF/resources/c.txt", get(server, "/c.txt").body());
            assertEquals(404, get(server, "/x.txt").statusCode());
            assertEquals(site.resolve("c.txt").toString(), seen.get().getRealPath("/c.txt"));
        }
    }

    @Test
    void clientsCannotReadWebInfOfAnArchive() throws Exception {
        Path war = archive("app.war", "index.html", "WEB-INF/", "WEB-INF/secret.txt");
        try (Penstock server = start(context -> context.resources(war))) {
            assertEquals("app.war:index.html", get(server, "/index.html").body());
            assertEquals(404, get(server, "/WEB-INF/secret.txt").statusCode());
            assertNotNull(seen.get().getResource("/WEB-INF/secret.txt"));
            assertNull(seen.get().getRealPath("/index.html"));
        }
    }

    @Test
    void theApplicationCanReadFilesThatAreHiddenFromClients() throws Exception {
        Files.writeString(folder.resolve("a.txt"), "site");
        try (Penstock server = start(context -> context.resources(folder).withoutFiles())) {
            assertEquals(404, get(server, "/a.txt").statusCode());
            assertNotNull(seen.get().getResource("/a.txt"));
        }
    }

    @Test
    void aProgramCanSetMimeTypesAndLocaleCharsetsAndTheDisplayName() throws Exception {
        Files.writeString(folder.resolve("a.xyz"), "site");
        try (Penstock server = start(context -> context.resources(folder)
                .mimeType("xyz", "text/x-xyz")
                .localeEncoding(Locale.GERMAN, StandardCharsets.UTF_16BE)
                .displayName("Shop")
                .servlet(
                        "german",
                        new HttpServlet() {
                            @Override
                            protected void doGet(HttpServletRequest request, HttpServletResponse response)
                                    throws IOException {
                                response.setContentType("text/plain");
                                response.setLocale(Locale.GERMANY);
                                response.getWriter().print("x");
                            }
                        },
                        "/german"))) {
            assertEquals(
                    "text/x-xyz",
                    get(server, "/a.xyz").headers().firstValue("Content-Type").orElse(""));
            String type =
                    get(server, "/german").headers().firstValue("Content-Type").orElse("");
            assertTrue(type.toUpperCase(Locale.ROOT).endsWith("UTF-16BE"), type);
            assertEquals("Shop", seen.get().getServletContextName());
        }
    }
}
