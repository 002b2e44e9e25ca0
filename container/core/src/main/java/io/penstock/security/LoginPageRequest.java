package io.penstock.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request as the login page gets it: a plain GET of the page. The method of the request, its conditions and its range are for the resource
 * that the client wants to reach by the login. Otherwise the page could be answered by 304, 206, 405 or 412.
 */
final class LoginPageRequest extends HttpServletRequestWrapper {
    private static final Set<String> OF_THE_RESOURCE =
            Set.of("if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "range");

    LoginPageRequest(HttpServletRequest request) {
        super(request);
    }

    private static boolean isHidden(@Nullable String name) {
        return name != null && OF_THE_RESOURCE.contains(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public String getMethod() {
        return super.getMethod().equals("HEAD") ? "HEAD" : "GET";
    }

    @Override
    public @Nullable String getHeader(String name) {
        return isHidden(name) ? null : super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return isHidden(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        List<String> names = Collections.list(super.getHeaderNames());
        names.removeIf(LoginPageRequest::isHidden);
        return Collections.enumeration(names);
    }

    @Override
    public long getDateHeader(String name) {
        return isHidden(name) ? -1 : super.getDateHeader(name);
    }
}
