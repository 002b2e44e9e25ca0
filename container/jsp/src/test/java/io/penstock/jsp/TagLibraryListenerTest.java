package io.penstock.jsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.StartException;
import io.penstock.jsp.application.LibraryListener;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the listeners that tag libraries declare. The container calls these listeners when the application starts. */
class TagLibraryListenerTest {
    @TempDir
    Path folder;

    private static String library(String listener) {
        return """
                <!DOCTYPE taglib PUBLIC "-//Sun Microsystems, Inc.//DTD JSP Tag Library 1.2//EN"
                  "http://java.sun.com/dtd/web-jsptaglibrary_1_2.dtd">
                <taglib>
                  <tlib-version>1.0</tlib-version><jsp-version>1.2</jsp-version><short-name>own</short-name>
                  <listener><listener-class>
                    %s
                  </listener-class></listener>
                </taglib>
                """.formatted(listener);
    }

    private static final String LIBRARY = library(LibraryListener.class.getName());

    private void assertListenerCalled(Site site) throws Exception {
        site.withClasses(LibraryListener.class).with("page.jsp", "${applicationScope['library-listener']}");
        try (Site.Server server = site.serve(folder)) {
            assertEquals("called, and addJspFile is refused", server.text("/page.jsp"));
        }
    }

    @Test
    void aListenerOfATagLibraryBelowWebInfIsCalled() throws Exception {
        assertListenerCalled(new Site().with("WEB-INF/some/where/own.tld", LIBRARY));
    }

    @Test
    void aListenerOfATagLibraryInAJarIsCalled() throws Exception {
        assertListenerCalled(new Site().withLibrary("own.jar", "META-INF/deep/own.tld", LIBRARY));
    }

    @Test
    void aListenerIsCalledIfWebXmlDeclaresItsTagLibrary() throws Exception {
        assertListenerCalled(new Site()
                .described(
                        "<jsp-config><taglib><taglib-uri>urn:x</taglib-uri><taglib-location>/own.tld</taglib-location>"
                                + "</taglib></jsp-config>")
                .with("own.tld", LIBRARY));
    }

    @Test
    void theErrorForAMissingListenerContainsThePathOfTheTagLibrary() {
        Site site = new Site().with("WEB-INF/own.tld", library("no.such.Listener"));
        String message = assertThrows(
                        StartException.class, () -> site.serve(folder).close())
                .getMessage();
        assertTrue(message.contains("/WEB-INF/own.tld: <listener>: "), message);
        assertTrue(message.contains("no.such.Listener"), message);
    }

    @Test
    void theErrorForAMalformedTagLibraryContainsFileAndLine() {
        Site site = new Site().withLibrary("own.jar", "META-INF/own.tld", "<taglib>\n<listener\n</taglib>");
        String message = assertThrows(
                        StartException.class, () -> site.serve(folder).close())
                .getMessage();
        assertTrue(message.contains("/WEB-INF/lib/own.jar!/META-INF/own.tld:3"), message);
    }
}
