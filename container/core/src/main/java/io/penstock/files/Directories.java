package io.penstock.files;

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
 * Answers requests for directories. A path without a slash at its end is redirected to the path with the slash. Otherwise, a welcome file
 * (Servlet 6.1 section 10.10) or a listing is sent.
 */
final class Directories {
    /**
     * The request attribute with the path of the welcome file. It is set when a request with another method than GET is forwarded to that
     * file.
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
     * @param servlets whether the application has mapped a servlet to a path within the context
     * @param listing null if directories are not listed
     */
    Directories(Resources resources, WelcomeFiles welcomeFiles, Predicate<String> servlets, @Nullable Listing listing) {
        this.servlets = servlets;
        this.resources = resources;
        this.welcomeFiles = welcomeFiles;
        this.listing = listing;
    }

    /** @param path of an existing directory within the context, with or without a slash at its end */
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
            // A servlet, for example that of *.jsp, may handle the method. If the default servlet gets the forward
            // instead, the attribute lets it answer as for a client's request for the file.
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
        listing.send(response, path, request.getContextPath() + path);
        return Outcome.ANSWERED;
    }

    /** Whether the file is the welcome file to which a client's request for its directory has been forwarded. */
    static boolean isWelcome(HttpServletRequest request, String path) {
        return request.getDispatcherType() == DispatcherType.FORWARD && path.equals(request.getAttribute(WELCOME));
    }

    /**
     * Whether the requested path ends with a slash. If the client has requested the context path without a slash, {@code path} is {@code /}
     * nevertheless.
     */
    private static boolean endsWithSlash(HttpServletRequest request, String path) {
        boolean bareContext = path.equals("/") && request.getRequestURI().equals(request.getContextPath());
        return path.endsWith("/") && !bareContext;
    }

    /**
     * Redirects to the same directory with a slash at the end, so that relative links work. The location is made from the decoded path. The
     * undecoded path could have path parameters, or begin with two slashes and so lead to another host.
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
