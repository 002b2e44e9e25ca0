package io.penstock.files;

import io.penstock.context.PrivateFolders;
import io.penstock.http.Accept;
import io.penstock.http.Vary;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/**
 * Sends the page that a single-page application shows for paths without a file. Only navigation requests get this page. A navigation
 * request is a GET or HEAD request with {@code text/html} in {@code Accept}, for a path without a dot in its last segment. So a request for
 * a missing asset or for a missing path of a web API gets status 404.
 *
 * <p>Thread: several workers at the same time.
 */
final class Fallback {
    private final @Nullable String page;

    /** Whether the page was sent. */
    enum Outcome {
        ANSWERED,
        NOT_FOR_THIS
    }

    /** @param page the path of the page within the context; null if no page is configured */
    Fallback(@Nullable String page) {
        this.page = page;
    }

    /** @param path a path within the context without a file */
    Outcome answer(HttpServletRequest request, HttpServletResponse response, String path)
            throws ServletException, IOException {
        if (page == null || !mayBeNavigation(request, path)) {
            return Outcome.NOT_FOR_THIS;
        }
        if (!Vary.covers(response.getHeaders("Vary"), "Accept")) {
            response.addHeader("Vary", "Accept");
        }
        RequestDispatcher dispatcher =
                acceptsPages(request) ? request.getRequestDispatcher(ServedPath.encode(page)) : null;
        if (dispatcher == null) {
            return Outcome.NOT_FOR_THIS;
        }
        dispatcher.forward(request, response);
        return Outcome.ANSWERED;
    }

    /**
     * Whether the request can be a navigation request, apart from its {@code Accept} field. A forward is not a navigation request.
     * Otherwise an endless loop would be possible: this class forwards to the page, and the file of the page can be missing.
     */
    private static boolean mayBeNavigation(HttpServletRequest request, String path) {
        return request.getDispatcherType() == DispatcherType.REQUEST
                && (request.getMethod().equals("GET") || request.getMethod().equals("HEAD"))
                && path.indexOf('.', path.lastIndexOf('/') + 1) < 0
                && !PrivateFolders.contain(path);
    }

    /** Whether the client names the type {@code text/html}. Browsers name this type only in navigation requests. */
    private static boolean acceptsPages(HttpServletRequest request) {
        return Accept.types(Collections.list(request.getHeaders("Accept"))).contains("text/html");
    }
}
