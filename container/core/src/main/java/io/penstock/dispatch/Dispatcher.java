package io.penstock.dispatch;

import io.penstock.context.FilterHolder;
import io.penstock.context.ServletHolder;
import io.penstock.context.TargetUnavailableException;
import io.penstock.context.WebContext;
import io.penstock.request.HttpRequest;
import io.penstock.request.PathView;
import io.penstock.request.ResponseState;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.UnavailableException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Forwards a running request to a servlet of a context, or includes the servlet (Servlet 9). The servlet is found by path or by name.
 * Immutable.
 *
 * <p>Thread: the calling thread.
 */
final class Dispatcher implements RequestDispatcher {
    private final WebContext context;
    private final @Nullable Target target;
    private final @Nullable ServletHolder named;

    private Dispatcher(WebContext context, @Nullable Target target, @Nullable ServletHolder named) {
        this.context = context;
        this.target = target;
        this.named = named;
    }

    static Dispatcher to(Target target) {
        return new Dispatcher(target.context(), target, null);
    }

    static Dispatcher to(WebContext context, ServletHolder named) {
        return new Dispatcher(context, null, named);
    }

    @Override
    public void forward(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        HttpRequest from = Wrapping.container(request);
        ResponseState state = from.response().state();
        if (state.isCommitted()) {
            throw new IllegalStateException("Cannot forward: the response is committed");
        }
        response.resetBuffer();
        HttpRequest inner = new HttpRequest(from, forwarded(from));
        Wrapping wrapping = new Wrapping(request, response, inner);
        AsyncState async = (AsyncState) from.state().async();
        try {
            run(DispatcherType.FORWARD, from.view().context(), inner, wrapping, async);
            if (!async.isStarted() && !state.hasError() && !inner.response().isIncluded()) {
                close(wrapping, state);
            }
        } finally {
            if (!async.isStarted()) {
                wrapping.undo();
            }
        }
    }

    @Override
    public void include(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        HttpRequest from = Wrapping.container(request);
        HttpRequest inner = new HttpRequest(from, included(from));
        Wrapping wrapping = new Wrapping(request, response, inner);
        AsyncState async = (AsyncState) from.state().async();
        try {
            run(DispatcherType.INCLUDE, from.view().context(), inner, wrapping, async);
        } finally {
            if (!async.isStarted()) {
                wrapping.undo();
            }
        }
    }

    private void run(DispatcherType type, WebContext from, HttpRequest inner, Wrapping wrapping, AsyncState async)
            throws ServletException, IOException {
        try {
            async.enter(context);
            chain(type, inner, async).run(inner, from, wrapping.request(), wrapping.response());
        } catch (UnavailableException e) {
            throw TargetUnavailableException.of(e);
        }
    }

    private Chain chain(DispatcherType type, HttpRequest inner, AsyncState async) {
        List<FilterHolder> filters = target != null
                ? target.filters(type)
                : context.filterMappings()
                        .match(type, null, Objects.requireNonNull(named).name());
        ServletHolder servlet = target != null ? target.servlet() : named;
        return new Chain(filters, servlet, inner.response(), async);
    }

    /**
     * After a forward, the request has the path elements of the target. After a forward by name, the request keeps its path elements
     * (Servlet 9.4).
     */
    private PathView forwarded(HttpRequest from) {
        PathView view = from.view();
        Map<String, Object> attributes = new HashMap<>(view.attributes());
        DispatchAttributes.INCLUDE.removeFrom(attributes);
        if (target == null) {
            return same(DispatcherType.FORWARD, view, null, attributes);
        }
        if (!DispatchAttributes.FORWARD.areIn(attributes)) {
            attributes.putAll(DispatchAttributes.FORWARD.of(from.original()));
        }
        return target.view(DispatcherType.FORWARD, from, view.method(), attributes);
    }

    /** An include keeps the path elements of the including request. The target's path elements are attributes (Servlet 9.3). */
    private PathView included(HttpRequest from) {
        PathView view = from.view();
        Map<String, Object> attributes = new HashMap<>(view.attributes());
        DispatchAttributes.INCLUDE.removeFrom(attributes);
        if (target == null) {
            return same(DispatcherType.INCLUDE, view, null, attributes);
        }
        PathView shown = target.view(DispatcherType.INCLUDE, from, view.method(), Map.of());
        attributes.putAll(DispatchAttributes.INCLUDE.of(target, shown));
        return same(DispatcherType.INCLUDE, view, target.query(), attributes);
    }

    /** Returns a view with the path elements of {@code view} and the context of the target. */
    private PathView same(
            DispatcherType type, PathView view, @Nullable String ownQuery, Map<String, Object> attributes) {
        return new PathView(
                type,
                context,
                view.contextPath(),
                view.requestUri(),
                view.path(),
                view.match(),
                view.query(),
                ownQuery,
                view.method(),
                attributes);
    }

    /**
     * Ends the response after a forward. If the application has wrapped the response, the wrapper is closed, since the wrapper may have
     * buffered bytes.
     */
    private static void close(Wrapping wrapping, ResponseState state) throws IOException {
        if (!wrapping.hasWrappedResponse()) {
            state.end();
            return;
        }
        try {
            wrapping.response().getWriter().close();
        } catch (IllegalStateException e) {
            // getOutputStream() was called before, so the stream must be closed.
            wrapping.response().getOutputStream().close();
        }
    }
}
