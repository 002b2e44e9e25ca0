package io.penstock.dispatch;

import io.penstock.context.ContextServices;
import io.penstock.context.ContextSettings;
import io.penstock.context.FilterHolder;
import io.penstock.context.Filters;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.exchange.Admission;
import io.penstock.exchange.FakeExchange;
import io.penstock.exchange.FakeResponse;
import io.penstock.http.Violation;
import io.penstock.limits.Counters;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.ServerConfig.Redirects;
import io.penstock.limits.Switch;
import io.penstock.mapping.UrlPattern;
import io.penstock.request.Compressors;
import io.penstock.request.CountedLimits;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.EventListener;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * An application with one context for tests. Uses the {@link ServletAdmission} and the {@link ServletHandler} of the server. Each request
 * is a {@link FakeExchange}.
 */
final class App implements AutoCloseable {
    private final ContextTable table = new ContextTable();
    private final WebContext context;
    private final ServletAdmission admission =
            new ServletAdmission(table, 1000, List.of(UrlPattern.parse("/app/streams/*")), null, null, null, Switch.ON);
    private final Compressors compressors = new Compressors(1, () -> {});
    private final ServletHandler handler = new ServletHandler(
            table,
            new ServletHandler.Settings(
                    FakeResponse.SEGMENT,
                    new CountedLimits(ServerConfig.defaults().parameters(), new Counters()),
                    Duration.ofSeconds(30),
                    Redirects.ABSOLUTE,
                    compressors,
                    Switch.ON));
    private int names;
    private volatile AssertionError failed;

    /** The service method of a servlet for tests. */
    interface Service {
        void serve(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException;
    }

    /** The filter method of a filter for tests. */
    interface Filtering {
        void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException;
    }

    App() {
        this("/app", settings -> settings.displayName("test"));
    }

    App(String path, Consumer<ContextSettings.Builder> with) {
        ContextSettings.Builder settings = ContextSettings.builder(path);
        with.accept(settings);
        context = new WebContext(settings.build(), ContextServices.defaults(new Dispatchers()));
    }

    WebContext context() {
        return context;
    }

    ServletHandler handler() {
        return handler;
    }

    ContextTable table() {
        return table;
    }

    Admission admission() {
        return admission;
    }

    ServletHolder servlet(String pattern, Service service) {
        return servlet("servlet" + ++names, pattern, service);
    }

    ServletHolder servlet(String name, String pattern, Service service) {
        HttpServlet servlet = new HttpServlet() {
            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response)
                    throws ServletException, IOException {
                try {
                    service.serve(request, response);
                } catch (AssertionError e) {
                    // The container catches this error. Therefore, close() throws the error again.
                    failed = e;
                    throw e;
                }
            }
        };
        ServletHolder holder = Objects.requireNonNull(context.servlets().declare(name, servlet));
        holder.asyncSupported(true);
        context.servlets().map(holder, List.of(pattern));
        return holder;
    }

    FilterHolder filter(String pattern, Set<DispatcherType> types, Filtering filtering) {
        Filter filter = (request, response, chain) ->
                filtering.filter((HttpServletRequest) request, (HttpServletResponse) response, chain);
        FilterHolder holder = Objects.requireNonNull(context.filters().declare("filter" + ++names, filter));
        holder.asyncSupported(true);
        context.filters().mapUrlPatterns(holder, EnumSet.copyOf(types), Filters.Position.DECLARED, List.of(pattern));
        return holder;
    }

    void listener(EventListener listener) {
        context.listeners().declare(listener);
    }

    App start() {
        try {
            context.start();
        } catch (ServletException e) {
            throw new IllegalStateException(e);
        }
        table.put(context);
        return this;
    }

    /** Admits and handles the exchange, and runs its jobs until no job remains. */
    FakeResponse serve(FakeExchange exchange) {
        begin(exchange);
        exchange.runJobs();
        return exchange.response();
    }

    /** Admits the exchange and runs only its first dispatch. */
    void begin(FakeExchange exchange) {
        try {
            Admission.Verdict verdict = admission.admit(exchange.head());
            if (!(verdict instanceof Admission.Admitted admitted)) {
                throw new IllegalStateException("refused: " + verdict);
            }
            exchange.routeTo(admitted.route());
            handler.handle(exchange);
        } catch (IOException | Violation e) {
            throw new IllegalStateException(e);
        }
    }

    FakeResponse get(String target, String... lines) {
        return serve(FakeExchange.of("GET " + target, lines));
    }

    @Override
    public void close() {
        context.stop();
        if (failed != null) {
            throw failed;
        }
    }
}
