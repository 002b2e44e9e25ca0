package io.penstock.context;

import jakarta.servlet.RequestDispatcher;
import org.jspecify.annotations.Nullable;

/** Creates the request dispatchers of a context. The package {@code dispatch} implements this interface. Thread: any. */
public interface DispatcherFactory {

    /** A factory that creates no dispatchers. */
    DispatcherFactory NONE = new DispatcherFactory() {
        @Override
        public @Nullable RequestDispatcher forPath(WebContext context, String path) {
            return null;
        }

        @Override
        public @Nullable RequestDispatcher forName(WebContext context, ServletHolder servlet) {
            return null;
        }
    };

    /**
     * Creates the dispatcher for {@code ServletContext.getRequestDispatcher}. The path is encoded, starts with {@code /}, and may have a
     * query.
     */
    @Nullable
    RequestDispatcher forPath(WebContext context, String path);

    /** Creates the dispatcher for {@code ServletContext.getNamedDispatcher}. */
    @Nullable
    RequestDispatcher forName(WebContext context, ServletHolder servlet);
}
