package io.penstock.dispatch;

import io.penstock.context.DispatcherFactory;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.http.Violation;
import jakarta.servlet.RequestDispatcher;
import org.jspecify.annotations.Nullable;

/** Makes the request dispatchers of every context. Stateless. Thread: any. */
public final class Dispatchers implements DispatcherFactory {

    @Override
    public @Nullable RequestDispatcher forPath(WebContext context, String path) {
        try {
            return Dispatcher.to(Target.of(context, path));
        } catch (Violation e) {
            // The text is not a path, or the path leads out of the context.
            return null;
        }
    }

    @Override
    public RequestDispatcher forName(WebContext context, ServletHolder servlet) {
        return Dispatcher.to(context, servlet);
    }
}
