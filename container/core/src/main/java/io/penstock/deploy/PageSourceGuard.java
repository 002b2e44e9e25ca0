package io.penstock.deploy;

import io.penstock.files.DefaultServlet;
import io.penstock.files.ServedPath;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * The default servlet of a web application. It answers requests for JSP pages with 501, and serves other files. If there is a JSP engine,
 * its servlet handles the requests for JSP pages, and these requests do not reach the default servlet. The source of a page must not be
 * sent as a plain file.
 *
 * <p>Thread: workers, several at the same time.
 */
final class PageSourceGuard extends HttpServlet {
    private static final String NO_ENGINE = "This server has no JSP engine";

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
        if (!isForPage(request)) {
            files.service(request, response);
        } else if (request.getDispatcherType() == DispatcherType.INCLUDE) {
            // An include cannot change the status of the response.
            throw new ServletException(NO_ENGINE);
        } else {
            response.sendError(HttpServletResponse.SC_NOT_IMPLEMENTED, NO_ENGINE);
        }
    }

    /**
     * Whether the requested file is a JSP page. In an include or a forward, the file is the target of the dispatch (Servlet 9.3 and 9.4).
     */
    private static boolean isForPage(HttpServletRequest request) {
        String path = ServedPath.of(request);
        return path.endsWith(".jsp") || path.endsWith(".jspx");
    }

    @Override
    public void destroy() {
        files.destroy();
    }
}
