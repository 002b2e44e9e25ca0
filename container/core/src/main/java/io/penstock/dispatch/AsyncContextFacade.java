package io.penstock.dispatch;

import io.penstock.context.ObjectFactory;
import io.penstock.context.WebContext;
import io.penstock.http.Violation;
import io.penstock.request.AsyncSupport;
import io.penstock.request.HttpRequest;
import io.penstock.request.HttpResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.util.Objects;

/**
 * The {@link AsyncContext} of one exchange. All asynchronous cycles ({@link AsyncState}) of the exchange share this object. Thread: any.
 */
final class AsyncContextFacade implements AsyncContext {
    private final AsyncState state;

    AsyncContextFacade(AsyncState state) {
        this.state = state;
    }

    @Override
    public ServletRequest getRequest() {
        return state.usable().request();
    }

    @Override
    public ServletResponse getResponse() {
        return state.usable().response();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        AsyncState.Cycle cycle = state.cycle();
        return cycle.given() == AsyncSupport.Given.BY_CONTAINER
                || (cycle.request() instanceof HttpRequest && cycle.response() instanceof HttpResponse);
    }

    @Override
    public void dispatch() {
        state.dispatch(state.sameTarget());
    }

    @Override
    public void dispatch(String path) {
        dispatch(state.undecided().source().view().context(), path);
    }

    @Override
    public void dispatch(ServletContext context, String path) {
        state.undecided();
        if (!(context instanceof WebContext own)) {
            throw new IllegalArgumentException("Not a context of this server");
        }
        if (path == null || !path.startsWith("/")) {
            throw new IllegalArgumentException("The path of a dispatch must start with a slash: " + path);
        }
        try {
            state.dispatch(Target.of(own, path));
        } catch (Violation e) {
            throw new IllegalArgumentException("Not a path: " + path, e);
        }
    }

    @Override
    public void complete() {
        state.complete();
    }

    @Override
    public void start(Runnable run) {
        state.run(Objects.requireNonNull(run));
    }

    @Override
    public void addListener(AsyncListener listener) {
        AsyncState.Cycle cycle = state.cycle();
        state.add(Objects.requireNonNull(listener), cycle.request(), cycle.response());
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
        state.add(Objects.requireNonNull(listener), request, response);
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        try {
            return objects().create(type);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new ServletException("Cannot make an AsyncListener of " + type.getName(), e);
        }
    }

    private ObjectFactory objects() {
        return state.cycle().request().getServletContext() instanceof WebContext context
                ? context.objects()
                : ObjectFactory.REFLECTIVE;
    }

    @Override
    public void setTimeout(long timeout) {
        state.timeout(timeout);
    }

    @Override
    public long getTimeout() {
        return state.timeout();
    }
}
