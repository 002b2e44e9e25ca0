package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.EchoServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Title, version and vendor of a package come from the manifest of the archive, or of the library. */
class ManifestOfPackagesTest {
    @TempDir
    Path folder;

    private static String manifest(String version) {
        return "Manifest-Version: 1.0\r\nImplementation-Title: Shop\r\nImplementation-Version: " + version
                + "\r\nImplementation-Vendor: Example\r\nSpecification-Version: 6\r\n\r\n";
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
