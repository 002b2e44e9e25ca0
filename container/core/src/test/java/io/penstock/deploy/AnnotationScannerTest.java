package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.deploy.application.GreetingServlet;
import io.penstock.deploy.application.NonBlockingServlet;
import io.penstock.deploy.application.PlainServlet;
import io.penstock.deploy.application.StartListener;
import io.penstock.deploy.application.TimingFilter;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the search for annotations in class files. No class is loaded (Servlet 6.1, section 8.1). */
class AnnotationScannerTest {
    private static final String CLASSES = "WEB-INF/classes";

    @TempDir
    Path folder;

    private AnnotationScanner.Scan scan(Class<?>... types) throws Exception {
        Packing.empty().withClasses("", types).folder(folder);
        return AnnotationScanner.folder(folder, CLASSES);
    }

    @Test
    void allElementsOfAWebServletAnnotationAreRead() throws Exception {
        WebXml xml = scan(GreetingServlet.class).declarations();
        WebXml.ServletDeclaration servlet = xml.servlets().get(0);
        assertEquals("greeting", servlet.name());
        assertEquals(GreetingServlet.class.getName(), servlet.className());
        assertEquals(3, servlet.loadOnStartup());
        assertEquals(true, servlet.asyncSupported());
        assertEquals(new WebXml.Multipart("parts", 1000, -1, 10), servlet.multipart());
        assertEquals("word", servlet.parameters().get(0).name());
        assertEquals("hello", servlet.parameters().get(0).value());
        assertEquals(List.of("/greet", "/greet/*"), xml.servletMappings().get(0).patterns());
        assertEquals(
                CLASSES + "/io/penstock/deploy/application/GreetingServlet.class",
                servlet.at().toString());
    }

    @Test
    void theClassNameIsTheDefaultNameOfAServlet() throws Exception {
        WebXml xml = scan(PlainServlet.class).declarations();
        assertEquals(PlainServlet.class.getName(), xml.servlets().get(0).name());
        assertNull(xml.servlets().get(0).loadOnStartup());
        assertEquals(List.of("/plain"), xml.servletMappings().get(0).patterns());
    }

    @Test
    void annotatedFiltersAndListenersAreFound() throws Exception {
        WebXml xml = scan(TimingFilter.class, StartListener.class).declarations();
        WebXml.FilterMapping mapping = xml.filterMappings().get(0);
        assertEquals(TimingFilter.class.getName(), mapping.filterName());
        assertEquals(List.of("/*"), mapping.patterns());
        assertEquals(List.of("greeting"), mapping.servletNames());
        assertEquals(List.of(WebXml.Dispatcher.REQUEST, WebXml.Dispatcher.ASYNC), mapping.dispatchers());
        assertEquals(StartListener.class.getName(), xml.listeners().get(0).className());
    }

    @Test
    void classesInTheVersionFoldersOfAMultiReleaseJarAreNotScanned() throws Exception {
        Path jar = Packing.empty()
                .withClasses("", PlainServlet.class)
                .withClasses("META-INF/versions/99/", GreetingServlet.class)
                .archive(folder.resolve("library.jar"));
        AnnotationScanner.Scan scan = AnnotationScanner.jar(jar, "WEB-INF/lib/library.jar");
        assertEquals(1, scan.declarations().servlets().size());
        assertEquals(
                "WEB-INF/lib/library.jar!/io/penstock/deploy/application/PlainServlet.class",
                scan.declarations().servlets().get(0).at().toString());
    }

    @Test
    void aDamagedClassFileIsSkipped() throws Exception {
        Packing.empty()
                .with("Broken.class", "no class at all")
                .with("Short.class", new byte[] {(byte) 0xCA, (byte) 0xFE})
                .folder(folder);
        assertEquals(1, scan(PlainServlet.class).declarations().servlets().size());
    }

    @Test
    void aLibraryThatIsNotAJarIsReported() throws Exception {
        Path jar = Packing.empty().with("library.jar", "nothing").folder(folder).resolve("library.jar");
        DeploymentException e =
                assertThrows(DeploymentException.class, () -> AnnotationScanner.jar(jar, "WEB-INF/lib/library.jar"));
        assertTrue(e.getMessage().startsWith("WEB-INF/lib/library.jar: not a readable jar"), e.getMessage());
    }

    @Test
    void aWebServletAnnotationWithValueAndUrlPatternsIsAnError() {
        DeploymentException e = assertThrows(DeploymentException.class, () -> scan(TwoPatternsServlet.class));
        assertTrue(e.getMessage().endsWith("@WebServlet has both value and urlPatterns"), e.getMessage());
    }

    @WebServlet(value = "/a", urlPatterns = "/b")
    static class TwoPatternsServlet extends HttpServlet {}

    @Test
    void theCallOfSetReadListenerIsFoundInTheClassFileOfAServlet() throws Exception {
        assertTrue(ReadListenerUse.in(Packing.classFile(NonBlockingServlet.class)));
        assertFalse(ReadListenerUse.in(Packing.classFile(GreetingServlet.class)));
        assertFalse(ReadListenerUse.in(new byte[10]));
        assertTrue(ReadListenerUse.of(
                NonBlockingServlet.class.getName(), getClass().getClassLoader()));
        assertFalse(ReadListenerUse.of("not.There", getClass().getClassLoader()));
    }
}
