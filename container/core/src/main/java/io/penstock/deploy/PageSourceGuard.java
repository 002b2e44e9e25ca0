package io.penstock.deploy;

import io.penstock.files.DefaultServlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The default servlet of a web application, but for JSP pages: a request for one comes here only if there is no JSP engine, and
 * the page's source must not leave the server as a plain file. The answer is 501.
 *
 * <p>Thread: workers, several at once.
 */
final class PageSourceGuard extends HttpServlet {
    private final transient DefaultServlet files;

    PageSourceGuard(DefaultServlet files) {
        this.files = files;
    }

    @Override
    public void init(ServletConfig config) throws ServletException {
        super.init(config);
        files.init(config);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (isPage(request.getServletPath()) || isPage(request.getPathInfo())) {
            response.sendError(HttpServletResponse.SC_NOT_IMPLEMENTED, "This server has no JSP engine");
        } else {
            files.service(request, response);
        }
    }

    private static boolean isPage(@Nullable String path) {
        return path != null && (path.endsWith(".jsp") || path.endsWith(".jspx"));
    }

    @Override
    public void destroy() {
        files.destroy();
    }
}
