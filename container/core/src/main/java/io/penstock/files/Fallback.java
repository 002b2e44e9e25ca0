package io.penstock.files;

import io.penstock.context.PrivateFolders;
import io.penstock.http.MediaType;
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
 * The page that a single-page application shows for its own paths, which are no files. Only a navigation gets it: a GET or HEAD whose {@code
 * Accept} names {@code text/html}, for a path whose last segment has no dot. So a missing asset, and a missing path of an interface, is 404.
 *
 * <p>Thread: workers, several at once.
 */
final class Fallback {
    private final @Nullable String page;

    /** Whether the page was sent. */
    enum Outcome {
        ANSWERED,
        NOT_FOR_THIS
    }

    /** @param page its path within the context; null for none */
    Fallback(@Nullable String page) {
        this.page = page;
    }

    /** @param path within the context, which leads to nothing */
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

    /** A forward, also that to the page itself, leads to no other page. */
    private static boolean mayBeNavigation(HttpServletRequest request, String path) {
        return request.getDispatcherType() == DispatcherType.REQUEST
                && (request.getMethod().equals("GET") || request.getMethod().equals("HEAD"))
                && path.indexOf('.', path.lastIndexOf('/') + 1) < 0
                && !PrivateFolders.contain(path);
    }

    /** Browsers name the type for navigations, and for nothing else. */
    private static boolean acceptsPages(HttpServletRequest request) {
        for (String line : Collections.list(request.getHeaders("Accept"))) {
            for (String range : line.split(",")) {
                MediaType type = MediaType.parse(range.strip());
                if (type != null && type.is("text/html")) {
                    return true;
                }
            }
        }
        return false;
    }
}
