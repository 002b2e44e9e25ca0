package io.penstock.request;

import io.penstock.context.WebContext;
import io.penstock.exchange.Exchange;
import io.penstock.http.Status;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpUpgradeHandler;
import org.jspecify.annotations.Nullable;

/**
 * The upgrade that an application has asked for (Servlet 2.3.3.5). The handler is created at once. Its {@code init} is called when the 101
 * response has ended.
 *
 * <p>Thread: one application thread at a time.
 */
public final class RequestedUpgrade {
    private final Exchange exchange;
    private final ResponseState response;
    private @Nullable Handler handler;

    /**
     * A handler, and the context that has created it.
     *
     * @param context the context that has created the handler; the handler runs with this context's class loader
     */
    public record Handler(WebContext context, HttpUpgradeHandler handler) {}

    RequestedUpgrade(Exchange exchange, ResponseState response) {
        this.exchange = exchange;
        this.response = response;
    }

    /** Whether the client has asked for another protocol. */
    boolean isPossible() {
        return exchange.isUpgradable();
    }

    /**
     * Creates the handler, and sets the status to 101. If the application has set a status other than 200, that status is kept.
     *
     * @throws ServletException if the client has not asked for another protocol, or if the handler cannot be created
     * @throws IllegalStateException if there is a handler already, or if the response has been committed with another status
     */
    <T extends HttpUpgradeHandler> T to(Class<T> type, WebContext context) throws ServletException {
        if (!isPossible()) {
            throw new ServletException("The client has not asked for an upgrade, or its request is not complete");
        }
        if (handler != null) {
            throw new IllegalStateException("The connection is being upgraded already");
        }
        if (response.isCommitted() && response.status() != Status.SWITCHING_PROTOCOLS) {
            throw new IllegalStateException("The response is committed");
        }
        T made = make(type, context);
        handler = new Handler(context, made);
        if (!response.isCommitted() && response.status() == 200) {
            response.status(Status.SWITCHING_PROTOCOLS);
        }
        return made;
    }

    private static <T> T make(Class<T> type, WebContext context) throws ServletException {
        try {
            return context.objects().create(type);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new ServletException("Cannot make an HttpUpgradeHandler of " + type.getName(), e);
        }
    }

    /** Removes and returns the handler; null if there is none. From then on the caller owns the handler. */
    @Nullable
    Handler take() {
        Handler taken = handler;
        handler = null;
        return taken;
    }
}
