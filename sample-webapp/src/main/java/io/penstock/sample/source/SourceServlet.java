package io.penstock.sample.source;

import io.penstock.sample.page.Html;
import io.penstock.sample.page.Page;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Shows a source file of this application. The build copies the source files into the application. */
@WebServlet("/source/*")
public class SourceServlet extends HttpServlet {
    // Only names of source files match. So no other file can be read.
    private static final Pattern FILE = Pattern.compile("/([a-z]+/)?[A-Z][A-Za-z]+\\.java");
    private static final String FOLDER = "/WEB-INF/source/io/penstock/sample";

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String file = request.getPathInfo();
        if (file == null || !FILE.matcher(file).matches()) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        try (InputStream source = getServletContext().getResourceAsStream(FOLDER + file)) {
            if (source == null) {
                response.sendError(HttpServletResponse.SC_NOT_FOUND);
                return;
            }
            Html code = Html.of(
                    "<pre class=\"code\" tabindex=\"0\" role=\"region\" aria-label=\"Source of %s\"><code>%s</code></pre>",
                    file.substring(1), JavaSource.highlight(new String(source.readAllBytes(), StandardCharsets.UTF_8)));
            show(request, response, file.substring(1), code);
        }
    }

    private static void show(HttpServletRequest request, HttpServletResponse response, String file, Html code)
            throws IOException {
        if (request.getParameter("bare") != null) {
            response.setContentType("text/html;charset=UTF-8");
            response.getWriter().write(code.markup());
            return;
        }
        Page.of(request, "source", file)
                .add("<h1>%s</h1><p class=\"lead\">From the sources of this application.</p>%s", file, code)
                .send(response);
    }
}
