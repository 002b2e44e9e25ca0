package io.penstock.admin;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The filter in front of all pages of the admin site. The filter rejects requests with a wrong host name, with another method than GET or
 * HEAD, or without the token. The filter also sets response fields for browsers: a browser runs only scripts of the admin site, and caches
 * nothing.
 *
 * <p>Thread: any.
 */
final class Gate extends HttpFilter {
    private static final long serialVersionUID = 1L;
    private static final Set<String> METHODS = Set.of("GET", "HEAD");
    private static final String REALM = "realm=\"Penstock\"";

    private final transient HostRule hosts;
    private final transient @Nullable Token token;

    /** @param token the admin token; null if no token is required */
    Gate(HostRule hosts, @Nullable Token token) {
        this.hosts = hosts;
        this.token = token;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        harden(response);
        if (!hosts.allows(request.getServerName())) {
            Plain.answer(response, 403, "The admin port rejects this host name");
        } else if (!METHODS.contains(request.getMethod())) {
            response.setHeader("Allow", "GET, HEAD");
            Plain.answer(response, 405, "The admin port is read-only");
        } else if (token != null && isSecret(request) && !token.isShownBy(request.getHeader("Authorization"))) {
            response.addHeader("WWW-Authenticate", "Bearer " + REALM);
            response.addHeader("WWW-Authenticate", "Basic " + REALM + ", charset=\"UTF-8\"");
            Plain.answer(response, 401, "The admin token is required");
        } else {
            chain.doFilter(request, response);
        }
    }

    /** Whether a request needs the token. Health requests of load balancers need none, because the answer has no details. */
    private static boolean isSecret(HttpServletRequest request) {
        return !request.getServletPath().equals("/health");
    }

    private static void harden(HttpServletResponse response) {
        response.setHeader(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Cache-Control", "no-store");
    }
}
