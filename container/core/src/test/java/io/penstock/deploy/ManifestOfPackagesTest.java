package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.EchoServer;
import io.penstock.Penstock;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Title, version and vendor of a package come from the manifest of the archive, or of the library. */
class ManifestOfPackagesTest {
    @TempDir
    Path folder;

    private static String manifest(String version) {
        return "Manifest-Version: 1.0\r\nImplementation-Title: Shop\r\nImplementation-Version: " + version
                + "\r\nImplementation-Vendor: Example\r\nSpecification-Version: 6\r\n\r\n";
    }

    @WebServlet("/version")
    public static final class VersionServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(getClass().getPackage().getImplementationVersion());
        }
    }

    @ParameterizedTest
    @CsvSource({"false, 4.2", "true, 7.1"})
    void aServletGetsTheVersionOfItsArchiveOrLibrary(boolean inLibrary, String version) throws Exception {
        Packing described = Packing.empty().with("META-INF/MANIFEST.MF", manifest("4.2"));
        byte[] library = Packing.empty()
                .with("META-INF/MANIFEST.MF", manifest("7.1"))
                .withClasses("", VersionServlet.class)
                .archive();
        Path war = (inLibrary
                        ? described.with("WEB-INF/lib/shop.jar", library)
                        : described.withClasses("WEB-INF/classes/", VersionServlet.class))
                .archive(folder.resolve("shop.war"));
        try (Penstock server =
                Penstock.builder().host("127.0.0.1").port(0).war("/", war).start()) {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + "/version");
            assertEquals(
                    version,
                    HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                            .body());
        }
    }

    private WebAppClassLoader loader(Packing content) throws IOException {
        ApplicationFiles files = ApplicationFiles.of(content.folder(folder));
        return new WebAppClassLoader(Path.of("shop.war"), files, getClass().getClassLoader());
    }

    private static Package packageOf(WebAppClassLoader loader, Class<?> type) throws ClassNotFoundException {
        Package found = loader.loadClass(type.getName()).getPackage();
        assertEquals(type.getPackageName(), found.getName());
        return found;
    }

    @Test
    void packagesOfTheClassesFolderHaveTheManifestOfTheArchive() throws Exception {
        try (WebAppClassLoader loader = loader(Packing.empty()
                .with("META-INF/MANIFEST.MF", manifest("4.2"))
                .withClasses("WEB-INF/classes/", Packing.class))) {
            Package own = packageOf(loader, Packing.class);
            assertEquals("4.2", own.getImplementationVersion());
            assertEquals("Shop", own.getImplementationTitle());
            assertEquals("Example", own.getImplementationVendor());
            assertEquals("6", own.getSpecificationVersion());
        }
    }

    @Test
    void packagesOfALibraryHaveTheManifestOfTheLibraryOrNone() throws Exception {
        byte[] described = Packing.empty()
                .with("META-INF/MANIFEST.MF", manifest("7.1"))
                .withClasses("", Packing.class)
                .archive();
        byte[] bare = Packing.empty().withClasses("", EchoServer.class).archive();
        try (WebAppClassLoader loader = loader(Packing.empty()
                .with("META-INF/MANIFEST.MF", manifest("4.2"))
                .with("WEB-INF/lib/described.jar", described)
                .with("WEB-INF/lib/bare.jar", bare))) {
            assertEquals("7.1", packageOf(loader, Packing.class).getImplementationVersion());
            assertNull(packageOf(loader, EchoServer.class).getImplementationVersion());
        }
    }

    @Test
    void anUnreadableManifestIsNoReasonToRefuseTheApplication() throws Exception {
        try (WebAppClassLoader loader = loader(Packing.empty()
                .with("META-INF/MANIFEST.MF", "no manifest")
                .withClasses("WEB-INF/classes/", Packing.class))) {
            assertNull(packageOf(loader, Packing.class).getImplementationVersion());
        }
    }
}
