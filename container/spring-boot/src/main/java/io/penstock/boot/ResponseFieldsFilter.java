package io.penstock.boot;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.Cookie.SameSite;
import org.springframework.boot.web.server.servlet.CookieSameSiteSupplier;

/**
 * Sets the {@code Server} field of responses, and the attribute {@code SameSite} of cookies that the application adds. {@link
 * PenstockServletWebServerFactory} sets {@code SameSite} of the session cookie.
 *
 * <p>Thread: workers, several at once; immutable.
 */
final class ResponseFieldsFilter implements Filter {
    private static final String NAME = "penstock-response-fields";

    private final @Nullable String server;
    private final List<? extends CookieSameSiteSupplier> suppliers;

    private ResponseFieldsFilter(@Nullable String server, List<? extends CookieSameSiteSupplier> suppliers) {
        this.server = server;
        this.suppliers = List.copyOf(suppliers);
    }

    /** Adds the filter if it has anything to set. The filter runs before all filters that are added later. */
    static void addTo(
            ServletContext context, @Nullable String server, List<? extends CookieSameSiteSupplier> suppliers) {
        if (server == null && suppliers.isEmpty()) {
            return;
        }
        FilterRegistration.Dynamic filter = context.addFilter(NAME, new ResponseFieldsFilter(server, suppliers));
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(response instanceof HttpServletResponse http)) {
            chain.doFilter(request, response);
            return;
        }
        if (server != null) {
            http.setHeader("Server", server);
        }
        chain.doFilter(request, suppliers.isEmpty() ? http : new WithSameSite(http));
    }

    private final class WithSameSite extends HttpServletResponseWrapper {

        WithSameSite(HttpServletResponse response) {
            super(response);
        }

        @Override
        public void addCookie(Cookie cookie) {
            SameSite sameSite = sameSite(cookie, suppliers);
            if (sameSite == null || sameSite == SameSite.OMITTED) {
                super.addCookie(cookie);
                return;
            }
            Cookie own = (Cookie) cookie.clone(); // the application's cookie must not change
            own.setAttribute("SameSite", sameSite.attributeValue());
            super.addCookie(own);
        }
    }

    /** The first value that a supplier returns for the cookie; null if no supplier returns a value. */
    static @Nullable SameSite sameSite(Cookie cookie, List<? extends CookieSameSiteSupplier> suppliers) {
        for (CookieSameSiteSupplier supplier : suppliers) {
            SameSite found = supplier.getSameSite(cookie);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
