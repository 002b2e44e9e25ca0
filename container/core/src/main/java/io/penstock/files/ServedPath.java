package io.penstock.files;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Finds the path of the file that the default servlet must send. This is the path of the request, or the path of the target of an include.
 * Thread: any.
 */
public final class ServedPath {
    private static final String UNRESERVED_AND_HARMLESS = "-._~/!$&'()*+,=@";

    private ServedPath() {}

    /** Returns the decoded path within the context. The path is empty or begins with a slash. */
    public static String of(HttpServletRequest request) {
        Object servletPath = request.getServletPath();
        Object pathInfo = request.getPathInfo();
        // An include by servlet name sets no attributes. In this case the path of the request is used.
        if (isIncluded(request) && request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH) != null) {
            servletPath = request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH);
            pathInfo = request.getAttribute(RequestDispatcher.INCLUDE_PATH_INFO);
        }
        return text(servletPath) + text(pathInfo);
    }

    static boolean isIncluded(HttpServletRequest request) {
        return request.getDispatcherType() == DispatcherType.INCLUDE;
    }

    /** Encodes a path for a URI. */
    static String encode(String path) {
        StringBuilder encoded = new StringBuilder(path.length() + 16);
        for (byte octet : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (octet & 0xFF);
            boolean alphanumeric = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (alphanumeric || UNRESERVED_AND_HARMLESS.indexOf(c) >= 0) {
                encoded.append(c);
            } else {
                encoded.append('%').append(hex(c >> 4)).append(hex(c & 15));
            }
        }
        return encoded.toString();
    }

    private static char hex(int digit) {
        return "0123456789ABCDEF".charAt(digit);
    }

    private static String text(@Nullable Object part) {
        return part == null ? "" : part.toString();
    }
}
