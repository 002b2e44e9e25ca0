package io.penstock.files;

import io.penstock.address.PathText;
import io.penstock.context.Resource;
import io.penstock.context.Resources;
import io.penstock.context.WelcomeFiles;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for directories. If the path has no slash at its end, the answer is a redirect to the path with the slash. Otherwise the
 * answer is a welcome file (Servlet 6.1 section 10.10) or a {@link Listing}.
 */
final class Directories {
    /**
     * The name of the request attribute with the path of the welcome file. The attribute is set if a request with a method other than GET,
     * HEAD and OPTIONS is forwarded to the welcome file.
     */
    private static final String WELCOME = Directories.class.getName() + ".welcome";

    private static final Set<String> METHODS_OF_FILES = Set.of("GET", "HEAD", "OPTIONS");

    private final Predicate<String> servlets;
    private final Resources resources;
    private final WelcomeFiles welcomeFiles;
    private final @Nullable Listing listing;

    /** Whether the request for a directory was answered. */
    enum Outcome {
        ANSWERED,
        NOTHING_TO_SHOW
    }

    /**
     * @param servlets returns whether the application has mapped a servlet to a path within the context
     * @param listing makes the listings; null if the server must not list directories
     */
    Directories(Resources resources, WelcomeFiles welcomeFiles, Predicate<String> servlets, @Nullable Listing listing) {
        this.servlets = servlets;
        this.resources = resources;
        this.welcomeFiles = welcomeFiles;
        this.listing = listing;
    }

    /** @param path the path of an existing directory within the context. The path may end with a slash */
    Outcome answer(HttpServletRequest request, HttpServletResponse response, String path)
            throws ServletException, IOException {
        if (!endsWithSlash(request, path)) {
            return redirect(request, response, path);
        }
        String welcome = welcomeFiles.find(path, this::isFile, servlets);
        if (welcome == null) {
            return list(request, response, path);
        }
        RequestDispatcher dispatcher = request.getRequestDispatcher(ServedPath.encode(welcome));
        if (dispatcher == null) {
            return Outcome.NOTHING_TO_SHOW;
        }
        if (ServedPath.isIncluded(request)) {
            dispatcher.include(request, response);
        } else if (METHODS_OF_FILES.contains(request.getMethod())) {
            dispatcher.forward(request, response);
        } else {
            // If a servlet is mapped to the welcome file, for example to *.jsp, this servlet handles the method.
            // Otherwise the default servlet handles the forward. If the attribute is set, the default servlet answers
            // as if the client had requested this file directly.
            request.setAttribute(WELCOME, welcome);
            dispatcher.forward(request, response);
            request.removeAttribute(WELCOME);
        }
        return Outcome.ANSWERED;
    }

    private Outcome list(HttpServletRequest request, HttpServletResponse response, String path) throws IOException {
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        if (listing == null || !reads || !Listing.isShown(path) || ServedPath.isIncluded(request)) {
            return Outcome.NOTHING_TO_SHOW;
        }
        listing.send(response, path, PathText.decode(request.getContextPath()) + path);
        return Outcome.ANSWERED;
    }

    /** Whether a client requested a directory, and its request was forwarded to the welcome file {@code path}. */
    static boolean isWelcome(HttpServletRequest request, String path) {
        return request.getDispatcherType() == DispatcherType.FORWARD && path.equals(request.getAttribute(WELCOME));
    }

    /**
     * Whether the path that the client has requested ends with a slash. If the client has requested the context path without a slash,
     * {@code path} is {@code /}, and the result is false.
     */
    private static boolean endsWithSlash(HttpServletRequest request, String path) {
        boolean bareContext = path.equals("/") && request.getRequestURI().equals(request.getContextPath());
        return path.endsWith("/") && !bareContext;
    }

    /**
     * Redirects to the same directory with a slash at the end. Without this slash, relative links would not work. The location is made from
     * the decoded path. The undecoded path can contain path parameters. It can also begin with two slashes, and would then lead to another
     * host.
     */
    private static Outcome redirect(HttpServletRequest request, HttpServletResponse response, String path)
            throws IOException {
        if (ServedPath.isIncluded(request)) {
            return Outcome.NOTHING_TO_SHOW;
        }
        String directory = path.endsWith("/") ? path : path + "/";
        String target = request.getContextPath() + ServedPath.encode(directory);
        int start = 0;
        while (target.startsWith("//", start)) {
            start++;
        }
        String query = request.getQueryString();
        String location = response.encodeRedirectURL(target.substring(start)) + (query == null ? "" : "?" + query);
        response.sendRedirect(location);
        return Outcome.ANSWERED;
    }

    private boolean isFile(String path) {
        Resource resource = resources.find(path);
        return resource != null && resource.kind() != Resource.Kind.DIRECTORY;
    }
}
