package io.penstock.standalone;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Writes two versions of a web application that share sessions. A request to {@code /count} increments two counters of a browser window.
 * The first counter is a session attribute, and each request sets this attribute again. The second counter is a field inside a session
 * attribute, and no request sets this attribute again. A third attribute, {@code wish}, has a different class in each version. So the
 * second version cannot read the {@code wish} of the first version. A request to {@code /plain} uses no session.
 */
final class ClusterApplication {
    /** The number of browser windows of each user. Each window has its own session attributes for the two counters. */
    static final int WINDOWS = 2;

    private static final String TALLY = """
            package cluster;
            public class Tally implements java.io.Serializable {
                private static final long serialVersionUID = 1L;
                int count;
            }
            """;

    private static final String WISH = """
            package cluster;
            public class Wish implements java.io.Serializable {
                private static final long serialVersionUID = %d;
                String text = "a kite";
            }
            """;

    private static final String SERVLET = """
            package cluster;
            import jakarta.servlet.ServletException;
            import jakarta.servlet.annotation.WebServlet;
            import jakarta.servlet.http.*;
            import java.io.IOException;
            @WebServlet({"/begin", "/count", "/plain"})
            public class CountServlet extends HttpServlet {
                @Override
                protected void service(HttpServletRequest request, HttpServletResponse response)
                        throws ServletException, IOException {
                    if (request.getServletPath().equals("/plain")) {
                        response.getWriter().print("plain");
                        return;
                    }
                    HttpSession session = request.getSession(false);
                    if (request.getServletPath().equals("/begin")) {
                        request.login("ann", "secret");
                        session = request.getSession();
                        for (int window = 0; window < %2$d; window++) {
                            session.setAttribute("inside" + window, new Tally());
                            session.setAttribute("set" + window, 0);
                        }
                        session.setAttribute("wish", new Wish());
                        return;
                    } else if (session == null) {
                        response.getWriter().print("no session");
                        return;
                    }
                    String window = request.getParameter("window");
                    Tally inside = (Tally) session.getAttribute("inside" + window);
                    inside.count++;
                    session.setAttribute("set" + window, (Integer) session.getAttribute("set" + window) + 1);
                    response.getWriter().print(inside.count + " "
                            + session.getAttribute("set" + window) + " " + request.getRemoteUser() + " "
                            + (session.getAttribute("wish") == null ? "hidden" : "kite") + " %1$d "
                            + System.getenv("PENSTOCK_NODE_NAME"));
                }
            }
            """;

    private ClusterApplication() {}

    /**
     * Writes the application.
     *
     * @param folder a folder that does not exist
     * @param version the version of the application, 1 or 2
     * @return the folder of the application
     */
    static Path write(Path folder, int version) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("WEB-INF/sources/cluster"));
        Path classes = Files.createDirectories(folder.resolve("WEB-INF/classes"));
        Map<String, String> texts = Map.of(
                "Tally.java",
                TALLY,
                "Wish.java",
                WISH.formatted(version),
                "CountServlet.java",
                SERVLET.formatted(version, WINDOWS));
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, String> text : texts.entrySet()) {
            files.add(Files.writeString(sources.resolve(text.getKey()), text.getValue()));
        }
        compile(files, classes);
        return folder;
    }

    private static void compile(List<Path> files, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter problems = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
                Stream<Path> each = files.stream()) {
            Iterable<? extends JavaFileObject> units = manager.getJavaFileObjectsFromPaths(each.toList());
            List<String> options =
                    List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
            if (!compiler.getTask(problems, manager, null, options, null, units).call()) {
                throw new IllegalStateException(problems.toString());
            }
        }
    }
}
