package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.deploy.application.PlainServlet;
import jakarta.servlet.Servlet;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.w3c.dom.Document;

/** Servlet 10.7.2: the class loader of a web application. */
class WebAppClassLoaderTest {
    @TempDir
    Path folder;

    private WebAppClassLoader loader(Packing packing) throws Exception {
        Path jar = packing.archive(folder.resolve("application.jar"));
        return new WebAppClassLoader(Path.of("test"), List.of(jar.toUri().toURL()), ApiLoader.ofContainer(Parts.NONE));
    }

    @Test
    void aClassInTheApplicationIsLoadedByTheClassLoaderOfTheApplication() throws Exception {
        try (WebAppClassLoader loader = loader(Packing.empty().withClasses("", PlainServlet.class))) {
            Class<?> own = loader.loadClass(PlainServlet.class.getName());
            assertNotSame(PlainServlet.class, own);
            assertSame(loader, own.getClassLoader());
            assertTrue(Servlet.class.isAssignableFrom(own));
        }
    }

    @Test
    void theServletApiIsAlwaysLoadedFromTheContainer() throws Exception {
        try (WebAppClassLoader loader = loader(Packing.empty().withClasses("", Servlet.class))) {
            assertSame(Servlet.class, loader.loadClass(Servlet.class.getName()));
            URL resource = loader.getResource("jakarta/servlet/Servlet.class");
            assertNotNull(resource);
            assertTrue(!resource.toString().contains("application.jar"), resource.toString());
        }
    }

    @Test
    void classesOfTheJdkAreVisibleAndCannotBeReplaced() throws Exception {
        byte[] nonsense = "no class".getBytes(StandardCharsets.UTF_8);
        try (WebAppClassLoader loader = loader(Packing.empty()
                .with("org/w3c/dom/Document.class", nonsense)
                .with("java/lang/String.class", nonsense))) {
            assertSame(Document.class, loader.loadClass("org.w3c.dom.Document"));
            assertSame(Connection.class, loader.loadClass("java.sql.Connection"));
            assertSame(String.class, loader.loadClass("java.lang.String"));
        }
    }

    @Test
    void theApplicationCannotLoadClassesOfTheContainerOrOfTheLibrariesOfTheContainer() throws Exception {
        try (WebAppClassLoader loader = loader(Packing.empty().with("a", "b"))) {
            assertThrows(ClassNotFoundException.class, () -> loader.loadClass(Logger.class.getName()));
            assertThrows(ClassNotFoundException.class, () -> loader.loadClass(WebXml.class.getName()));
            assertNull(loader.getResource("org/slf4j/Logger.class"));
        }
    }

    @Test
    void anApiPackageIsLoadedFromTheApplicationIfTheContainerDoesNotContainIt() throws Exception {
        try (WebAppClassLoader loader = loader(Packing.empty().with("jakarta/el/note.txt", "own"))) {
            assertNotNull(loader.getResource("jakarta/el/note.txt"));
        }
    }

    @Test
    void theClassLoaderFindsResourcesOfTheApplication() throws Exception {
        try (WebAppClassLoader loader = loader(Packing.empty().with("META-INF/services/some.Service", "own"))) {
            assertTrue(loader.getResource("META-INF/services/some.Service")
                    .toString()
                    .contains("application.jar"));
            assertTrue(loader.getResources("META-INF/services/some.Service").hasMoreElements());
        }
    }

    @Test
    void anOpenStreamOfAServerJarCanBeReadAfterTheClassLoaderIsClosed() throws Exception {
        String name = "jakarta/servlet/http/HttpServlet.class";
        WebAppClassLoader loader = loader(Packing.empty());
        try (InputStream others = loader.getResource(name).openStream()) {
            assertTrue(others.read() >= 0);
            try (InputStream its = loader.getResourceAsStream(name)) {
                assertTrue(its.read() >= 0);
            }
            loader.close();
            assertTrue(others.readAllBytes().length > 0);
        }
    }

    @Test
    void aClosedClassLoaderLoadsNoFurtherClasses() throws Exception {
        WebAppClassLoader loader = loader(Packing.empty().withClasses("", PlainServlet.class));
        loader.close();
        assertThrows(ClassNotFoundException.class, () -> loader.loadClass(PlainServlet.class.getName()));
        assertEquals("test", loader.getName());
    }

    @Test
    void linesOfStackTracesBeginWithTheNameOfTheArchiveAndNotWithItsPath() throws Exception {
        Path archive = folder.resolve("shop.war");
        try (WebAppClassLoader loader = new WebAppClassLoader(archive, List.of(), ApiLoader.ofContainer(Parts.NONE))) {
            assertEquals("shop.war", loader.getName());
            assertEquals(archive.toString(), loader.source());
        }
        Path root = folder.getRoot();
        try (WebAppClassLoader loader = new WebAppClassLoader(root, List.of(), ApiLoader.ofContainer(Parts.NONE))) {
            assertEquals(root.toString(), loader.getName());
        }
    }
}
