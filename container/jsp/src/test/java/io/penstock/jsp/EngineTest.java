package io.penstock.jsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.deploy.Deployer;
import io.penstock.deploy.DeploymentServices;
import io.penstock.deploy.WebApplication;
import io.penstock.dispatch.Dispatchers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.jasper.compiler.TldCache;
import org.apache.taglibs.standard.tag.rt.core.ForEachTag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the start, the generated files, and the class loading of the JSP engine. */
class EngineTest {
    @TempDir
    Path folder;

    @Test
    void theStartOfAnApplicationDoesNotStartTheEngine() throws Exception {
        Path site = new Site().with("page.jsp", "${1}").in(folder.resolve("site"));
        WebApplication application = new Deployer(DeploymentServices.of(new Dispatchers())).deploy("/", site);
        application.start();
        assertNull(application.context().getAttribute(TldCache.SERVLET_CONTEXT_ATTRIBUTE_NAME));
        assertEquals(
                List.of("*.jsp", "*.jspx"),
                application.context().getServletRegistration("jsp").getMappings().stream()
                        .sorted()
                        .toList());
        application.stop();
    }

    @Test
    void generatedFilesAreInTheTemporaryFolderUntilTheApplicationStops() throws Exception {
        Site.Server server = new Site().with("page.jsp", "${1}").serve(folder);
        try (server) {
            assertEquals("1", server.text("/page.jsp"));
            assertTrue(filesIn(server.temporary()).stream().anyMatch(name -> name.endsWith("page_jsp.class")));
        }
        assertEquals(List.of(), filesIn(server.temporary()));
        assertEquals(List.of("WEB-INF", "page.jsp"), names(server.application()));
    }

    private static List<String> filesIn(Path folder) throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).map(Path::toString).toList();
        }
    }

    private static List<String> names(Path folder) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void theJstlOfAnApplicationReplacesTheJstlOfTheContainer() throws Exception {
        Path ours = Path.of(ForEachTag.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Site.Server server = new Site()
                .with("WEB-INF/lib/jstl.jar", Files.readAllBytes(ours))
                .with("page.jsp", """
                        <%@ taglib prefix="c" uri="jakarta.tags.core" %><c:forEach begin="1" end="2">x</c:forEach>
                        <%= org.apache.taglibs.standard.tag.rt.core.ForEachTag.class.getProtectionDomain().getCodeSource().getLocation() %>
                        """)
                .serve(folder)) {
            assertTrue(server.text("/page.jsp").matches("xx file:.*/WEB-INF/lib/jstl.jar"), server.text("/page.jsp"));
        }
    }

    @Test
    void theClassesOfTheEngineAreHiddenFromApplications() throws Exception {
        Path site = new Site().in(folder.resolve("site"));
        WebApplication application = new Deployer(DeploymentServices.of(new Dispatchers())).deploy("/", site);
        ClassLoader loader = application.context().getClassLoader();
        assertNotNull(Class.forName("jakarta.servlet.jsp.PageContext", false, loader));
        assertNotNull(Class.forName("jakarta.el.ELContext", false, loader));
        for (String hidden :
                List.of("org.apache.jasper.servlet.JspServlet", "org.eclipse.jdt.core.compiler.IProblem")) {
            assertTrue(isHidden(hidden, loader), hidden);
        }
        application.stop();
    }

    private static boolean isHidden(String className, ClassLoader loader) {
        try {
            Class.forName(className, false, loader);
            return false;
        } catch (ClassNotFoundException e) {
            return true;
        }
    }
}
