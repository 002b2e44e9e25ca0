package io.penstock.dispatch;

import io.penstock.context.InFlight;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.ExchangeHandler;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestTarget;
import io.penstock.http.ResponseHead;
import io.penstock.limits.ServerConfig.Redirects;
import io.penstock.limits.Switch;
import io.penstock.mapping.MatchKind;
import io.penstock.request.Compressors;
import io.penstock.request.CountedLimits;
import io.penstock.request.Redirect;
import io.penstock.request.SessionUrl;
import java.io.IOException;
import java.time.Duration;

/**
 * Handles exchanges that {@link ServletAdmission} has routed to a context or to the server itself.
 *
 * <p>Thread: workers.
 */
public final class ServletHandler implements ExchangeHandler {
    static final String SERVER_METHODS = "GET, HEAD, POST, PUT, DELETE, OPTIONS";

    private final ContextTable contexts;
    private final Settings settings;

    /**
     * The settings of the server for all exchanges with servlets.
     *
     * @param bufferSize the number of response bytes that can always be buffered before the response is committed, also while memory is short;
     *     this is the size of a segment
     * @param limits the limits for parameters and parts
     * @param asyncTimeout the time-out of asynchronous requests for which the application sets no time-out; zero for no limit
     * @param redirects whether redirects on this server are relative or absolute
     * @param compressors used by the contexts whose responses are compressed
     * @param traceMethod whether requests with the method TRACE reach the application
     */
    public record Settings(
            int bufferSize,
            CountedLimits limits,
            Duration asyncTimeout,
            Redirects redirects,
            Compressors compressors,
            Switch traceMethod) {}

    /** @param contexts the contexts in service; needed if a request's context has been undeployed since the request was admitted */
    public ServletHandler(ContextTable contexts, Settings settings) {
        this.contexts = contexts;
        this.settings = settings;
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        if (exchange.route() instanceof Route.ToServlet route) {
            if (lacksSlash(route)) {
                addSlash(exchange, route);
            } else {
                serve(exchange, route);
            }
            return;
        }
        Fields fields = new FieldList().add("Allow", SERVER_METHODS);
        answer(exchange, 200, fields);
    }

    /**
     * Serves the request. If its context has been undeployed since the admission, the context that now has the path serves the request.
     * This is usually a newer version of the application.
     */
    private void serve(Exchange exchange, Route.ToServlet admitted) throws IOException {
        Route.ToServlet route = admitted;
        InFlight.Visit visit = route.context().inFlight().enter();
        while (visit == null) {
            route = contexts.route(exchange.head(), admitted.path());
            if (route == null) {
                answer(exchange, 404, Fields.EMPTY);
                return;
            }
            visit = route.context().inFlight().enter();
        }
        ServletExchange.of(exchange, route, visit, settings).begin();
    }

    /**
     * Whether the path is a context path without a slash at its end, so that a redirect to the path with a slash is needed. Without the
     * slash, relative links do not work. If a servlet is mapped to exactly this path, no redirect is needed.
     */
    private static boolean lacksSlash(Route.ToServlet route) {
        if (!route.pathInContext().isEmpty()) {
            return false;
        }
        return route.match() == null
                || route.match().kind() == MatchKind.DEFAULT
                || route.match().kind() == MatchKind.CONTEXT_ROOT;
    }

    private void addSlash(Exchange exchange, Route.ToServlet route) throws IOException {
        RequestTarget target = exchange.head().target();
        String query = target.query() == null ? "" : '?' + target.query();
        String session = SessionUrl.carried(route.path(), route.context());
        String path = route.context().getContextPath() + '/' + session + query;
        String method = exchange.head().method();
        int status = method.equals("GET") || method.equals("HEAD") ? 302 : 307;
        answer(
                exchange,
                status,
                new FieldList().add("Location", Redirect.onThisServer(exchange, path, settings.redirects())));
    }

    private static void answer(Exchange exchange, int status, Fields fields) throws IOException {
        exchange.response().head(new ResponseHead(status, fields, 0));
        exchange.response().finish(Fields.EMPTY);
    }
}
