package io.penstock.context;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the look-up of the files of an application. The folder of the application is searched first, then additional folders (if any), then
 * META-INF/resources of the jars. No other file can be found.
 */
@SuppressWarnings("NullAway.Init")
final class ResourcesTest {
    @TempDir
    Path outside;

    private Path root;
    private WebContext context;

    @BeforeEach
    void writeFiles() throws IOException {
        root = outside.resolve("app");
        write("app/welcome.html", "welcome");
        write("app/catalog/index.html", "index");
        write("app/catalog/offers/books.html", "books");
        write("app/WEB-INF/web.xml", "<web-app/>");
        write("secret.txt", "secret");
        Files.createDirectories(root.resolve("WEB-INF/lib"));
        jar("catalog.jar", "META-INF/resources/catalog/moreOffers/books.html", "more");
        jar("shadow.jar", "META-INF/resources/welcome.html", "shadowed");
        jar("plain.jar", "some/Clazz.class", "code");
        context = new ContextFixture(ContextSettings.builder("/")
                        .resources(Resources.of(root))
                        .build())
                .context;
    }

    @AfterEach
    void close() throws IOException {
        context.settings().resources().close();
    }

    private void write(String path, String text) throws IOException {
        Path file = outside.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void jar(String name, String entry, String text) throws IOException {
        try (ZipOutputStream jar = new ZipOutputStream(
                Files.newOutputStream(root.resolve("WEB-INF/lib").resolve(name)))) {
            jar.putNextEntry(new ZipEntry(entry));
            jar.write(text.getBytes(UTF_8));
            jar.closeEntry();
        }
    }

    private @Nullable String text(String path) throws IOException {
        try (InputStream in = context.getResourceAsStream(path)) {
            return in == null ? null : new String(in.readAllBytes(), UTF_8);
        }
    }

    private @Nullable Resource find(String path) {
        return context.settings().resources().find(path);
    }

    @Test
    void aFileInTheFolderIsPreferredToAFileInAJar() throws IOException {
        assertEquals("welcome", text("/welcome.html"));
        assertEquals("more", text("/catalog/moreOffers/books.html"));
    }

    @Test
    void changesOfFilesAreVisibleAtOnce() throws IOException {
        assertEquals(7, find("/welcome.html").size());
        write("app/welcome.html", "welcome back");
        assertEquals(12, find("/welcome.html").size());
        Files.delete(root.resolve("welcome.html"));
        assertEquals(Resource.Kind.JAR_ENTRY, find("/welcome.html").kind()); // the file of the same name in a jar
        write("app/welcome.html", "here");
        assertEquals(Resource.Kind.FILE, find("/welcome.html").kind());
        Files.delete(root.resolve("welcome.html"));
        Files.createDirectory(root.resolve("welcome.html"));
        assertEquals(Resource.Kind.DIRECTORY, find("/welcome.html").kind());
    }

    @Test
    void aListingContainsTheFilesOfTheFolderAndOfTheJars() {
        assertEquals(Set.of("/welcome.html", "/catalog/", "/WEB-INF/"), context.getResourcePaths("/"));
        assertEquals(
                Set.of("/catalog/index.html", "/catalog/offers/", "/catalog/moreOffers/"),
                context.getResourcePaths("/catalog/"));
        assertEquals(context.getResourcePaths("/catalog/"), context.getResourcePaths("/catalog"));
        assertNull(context.getResourcePaths("/nothing/"));
        assertNull(context.getResourcePaths("catalog"));
        assertNull(context.getResourcePaths(null));
    }

    @Test
    void theUrlOfAResourceCanBeRead() throws IOException {
        for (String path : new String[] {"/welcome.html", "/catalog/moreOffers/books.html"}) {
            URL url = context.getResource(path);
            assertNotNull(url);
            URLConnection connection = url.openConnection();
            connection.setUseCaches(false);
            try (InputStream in = connection.getInputStream()) {
                assertEquals(text(path), new String(in.readAllBytes(), UTF_8));
            }
        }
    }

    @Test
    void getResourceThrowsAnExceptionForAPathWithoutALeadingSlash() throws IOException {
        assertThrows(MalformedURLException.class, () -> context.getResource("welcome.html"));
        assertThrows(MalformedURLException.class, () -> context.getResource(null));
        assertNull(context.getResource("/nothing"));
        assertNull(context.getResourceAsStream("welcome.html"));
        assertNull(context.getResourceAsStream("/catalog"));
    }

    @Test
    void getResourceAsStreamResolvesDotSegments() throws IOException {
        assertEquals("welcome", text("/catalog/../welcome.html"));
        assertEquals("index", text("/catalog//./index.html"));
        assertNull(text("/../secret.txt"));
        assertNull(text("/catalog/../../secret.txt"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "welcome.html",
                "/../secret.txt",
                "/catalog/../welcome.html",
                "/./welcome.html",
                "//welcome.html",
                "/catalog//index.html",
                "/..\\secret.txt",
                "/welcome.html/",
                "/welcome.html\0",
                "/Welcome.html",
                "/CATALOG/index.html",
            })
    void findReturnsNullForAPathThatIsNotCanonical(String path) {
        assertNull(find(path));
    }

    @Test
    void aSymbolicLinkToAFileOutsideTheFolderIsNotFollowed() throws IOException {
        Files.createSymbolicLink(root.resolve("out.txt"), outside.resolve("secret.txt"));
        Files.createSymbolicLink(root.resolve("up"), outside);
        Files.createSymbolicLink(root.resolve("in.txt"), root.resolve("welcome.html"));
        assertNull(find("/out.txt"));
        assertNull(find("/up/secret.txt"));
        assertNull(context.getRealPath("/up/new.txt"));
        assertEquals("welcome", text("/in.txt"));
        Set<String> listed = context.getResourcePaths("/");
        assertNotNull(listed);
        assertTrue(listed.contains("/in.txt"));
        assertEquals(4, listed.size(), listed.toString());
    }

    @Test
    void aDirectoryIsFoundWithAndWithoutATrailingSlash() {
        Resource directory = find("/catalog");
        assertNotNull(directory);
        assertEquals(Resource.Kind.DIRECTORY, directory.kind());
        assertEquals("/catalog/", directory.path());
        assertEquals(directory, find("/catalog/"));
        Resource inJar = find("/catalog/moreOffers/");
        assertNotNull(inJar);
        assertEquals(Resource.Kind.DIRECTORY, inJar.kind());
    }

    @Test
    void aResourceHasTheKindAndTheSizeOfItsFile() {
        Resource file = find("/welcome.html");
        assertNotNull(file);
        assertEquals(Resource.Kind.FILE, file.kind());
        assertEquals(7, file.size());
        Resource entry = find("/catalog/moreOffers/books.html");
        assertNotNull(entry);
        assertEquals(Resource.Kind.JAR_ENTRY, entry.kind());
        assertEquals(4, entry.size());
    }

    @Test
    void theRealPathOfAMissingFileIsInTheFolderOfTheApplication() throws IOException {
        Path real = root.toRealPath();
        assertEquals(real.resolve("new/file").toString(), context.getRealPath("/new/file"));
        assertEquals(real.resolve("welcome.html").toString(), context.getRealPath("welcome.html"));
        assertEquals(real.toString(), context.getRealPath("/"));
        assertNull(context.getRealPath("/../secret.txt"));
        assertNull(context.getRealPath(null));
        assertNull(new ContextFixture().context.getRealPath("/"));
    }

    @Test
    void anApplicationFolderThatDoesNotExistIsRefused() throws IOException {
        assertThrows(NoSuchFileException.class, () -> Resources.of(outside.resolve("nowhere")));
        assertNull(Resources.none().find("/"));
    }

    @Test
    void anInvalidJarIsReported() throws IOException {
        write("app/WEB-INF/lib/broken.jar", "not a jar");
        IOException thrown = assertThrows(IOException.class, () -> Resources.of(root));
        assertTrue(thrown.getMessage().contains("broken.jar"), thrown.getMessage());
    }

    @Test
    void aMissingAdditionalFolderIsSkipped() throws IOException {
        Path there = Files.createDirectories(outside.resolve("there"));
        Files.writeString(there.resolve("there.txt"), "there");
        try (Resources some = Resources.of(root, List.of(outside.resolve("nowhere"), there), List.of())) {
            assertNotNull(some.find("/there.txt"));
            assertNull(some.find("/nowhere.txt"));
            assertEquals(there.toRealPath().resolve("new.txt"), some.realPath("/new.txt"), "the path of a new file");
        }
    }

    @Test
    void aFileInTheApplicationFolderIsPreferredToAFileInAnAdditionalFolder() throws IOException {
        write("sources/welcome.html", "of the sources");
        write("sources/catalog/later.html", "later");
        Path sources = outside.resolve("sources").toRealPath();
        Path jar = root.resolve("WEB-INF/lib/shadow.jar");
        try (Resources several = Resources.of(root, List.of(sources), List.of(jar))) {
            assertEquals(root.toRealPath().resolve("welcome.html"), several.realPath("/welcome.html"));
            assertEquals(
                    "later",
                    Files.readString(several.find("/catalog/later.html").file()));
            assertEquals(
                    Set.of("/catalog/index.html", "/catalog/later.html", "/catalog/offers/"), several.list("/catalog"));
            assertEquals(sources.resolve("catalog/later.html"), several.realPath("/catalog/later.html"));
            assertEquals(sources.resolve("uploads"), several.realPath("/uploads"), "the path of a new file");
            assertNull(several.realPath("/../secret.txt"));
        }
    }
}
