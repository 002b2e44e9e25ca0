package io.penstock.jsp;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.apache.jasper.JasperException;
import org.apache.jasper.servlet.JspServlet;
import org.jspecify.annotations.Nullable;

/**
 * Serves JSP pages: compiles a page that is new or has changed, and runs the page. The engine starts when this servlet is initialised, so
 * an application without pages needs no memory for the engine.
 *
 * <p>Thread: workers, several at once. Owns: the engine of one application, or of one {@code <jsp-file>}.
 */
public final class PageServlet extends HttpServlet {
    private static final String FILES = "default";
    /** The context parameter with which the server shows exceptions on its error page. */
    private static final String SHOW_EXCEPTIONS = "penstock.show-exceptions";

    private static final String PRECOMPILE = "jsp_precompile";
    private static final Set<String> VALUES_OF_PRECOMPILE = Set.of("=true", "=false");

    private transient @Nullable JspServlet engine;
    private transient @Nullable PageSettings settings;

    @Override
    public void init(ServletConfig config) throws ServletException {
        super.init(config);
        EngineTagLibraries.prepare(config.getServletContext());
        PageSettings ofEngine = new PageSettings(config);
        JspServlet servlet = new JspServlet();
        try {
            // If the servlet is declared with a jsp-file, this call compiles the page.
            servlet.init(ofEngine);
        } catch (JasperException e) {
            PageFailure failure = PageFailure.of(e, config.getServletName());
            failure.log(config.getServletName(), config.getServletContext());
            throw failure;
        }
        settings = ofEngine;
        engine = servlet;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        JspServlet initialised = engine;
        if (initialised == null) {
            throw new IllegalStateException("not initialised");
        }
        if (isDirectory(request)) {
            serveDirectory(request, response);
            return;
        }
        if (asksForWhatIsNoPrecompilation(request)) {
            response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
            return;
        }
        try {
            initialised.service(request, response);
        } catch (JasperException e) {
            PageFailure failure = PageFailure.of(e, page(request));
            boolean serverShows = Boolean.parseBoolean(getServletContext().getInitParameter(SHOW_EXCEPTIONS));
            if (settings == null
                    || !settings.showsErrors()
                    || serverShows
                    || response.isCommitted()
                    || isIncluded(request)) {
                throw failure;
            }
            failure.log(page(request), getServletContext());
            show(failure, response);
        }
    }

    /**
     * Whether the request is for a folder. A JSP property group can have a pattern such as {@code /pages/*}, but a folder that matches this
     * pattern is not a page.
     */
    private boolean isDirectory(HttpServletRequest request) {
        return !isIncluded(request)
                && getInitParameter(PageSettings.JSP_FILE) == null
                && page(request).endsWith("/");
    }

    /**
     * Whether the parameter {@code jsp_precompile} has an invalid value, which is an error of the client (Pages JSP.11.4.2). Without this
     * check, the engine would fail, and its stack trace would be logged.
     */
    private static boolean asksForWhatIsNoPrecompilation(HttpServletRequest request) {
        String query = request.getQueryString();
        if (query == null || !query.contains(PRECOMPILE) || isIncluded(request)) {
            return false;
        }
        // The engine searches the query in the same way.
        int start = query.indexOf(PRECOMPILE) + PRECOMPILE.length();
        int end = query.indexOf('&', start);
        String value = query.substring(start, end < 0 ? query.length() : end);
        return value.startsWith("=") && !VALUES_OF_PRECOMPILE.contains(value);
    }

    private static boolean isIncluded(HttpServletRequest request) {
        return request.getDispatcherType() == DispatcherType.INCLUDE;
    }

    /** The path of the page within the application. */
    private static String page(HttpServletRequest request) {
        if (isIncluded(request) && request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH) != null) {
            return text(request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH))
                    + text(request.getAttribute(RequestDispatcher.INCLUDE_PATH_INFO));
        }
        return text(request.getServletPath()) + text(request.getPathInfo());
    }

    private static String text(@Nullable Object part) {
        return part == null ? "" : part.toString();
    }

    private void serveDirectory(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        RequestDispatcher files = getServletContext().getNamedDispatcher(FILES);
        if (files == null) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
        } else {
            files.forward(request, response);
        }
    }

    /** Sends the error with the lines of the page's source, for the developer of the page. */
    private static void show(PageFailure failure, HttpServletResponse response) throws IOException {
        response.reset();
        response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        response.setContentType("text/plain;charset=UTF-8");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.getWriter()
                .println(failure.getCause() == null ? failure.explanation() : failure + "\n" + failure.explanation());
    }

    @Override
    public void destroy() {
        JspServlet initialised = engine;
        if (initialised != null) {
            initialised.destroy();
        }
    }
}
