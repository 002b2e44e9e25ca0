package io.penstock.dispatch;

import io.penstock.context.InFlight;
import io.penstock.context.WebContext;
import jakarta.servlet.UnavailableException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The contexts that one exchange has entered: the context of the request URL, and all contexts to which the request was dispatched. These
 * contexts do not stop before the exchange has ended.
 *
 * <p>Thread: the threads that run the exchange.
 */
final class EnteredContexts {
    private final WebContext home;
    private final InFlight.Visit first;

    // Created by the first dispatch into another context. Most exchanges have no such dispatch.
    private volatile @Nullable Map<WebContext, InFlight.Visit> others;
    private volatile @Nullable Runnable timeoutAction;
    private volatile boolean ended;

    EnteredContexts(WebContext home, InFlight.Visit first) {
        this.home = home;
        this.first = first;
    }

    /**
     * @throws UnavailableException if the context has been undeployed
     * @throws IllegalStateException if the exchange has ended. A task of the application can outlast it
     */
    void enter(WebContext context) throws UnavailableException {
        if (context != home) {
            enterOther(context);
        }
    }

    /** Several threads can dispatch at the same time, but each context gets one visit. */
    private synchronized void enterOther(WebContext context) throws UnavailableException {
        Map<WebContext, InFlight.Visit> known = others;
        if (known == null) {
            known = new ConcurrentHashMap<>(2);
            others = known;
        }
        if (!known.containsKey(context)) {
            InFlight.Visit visit = context.inFlight().enter();
            if (visit == null) {
                throw new UnavailableException(context + " has been undeployed");
            }
            known.put(context, visit);
            Runnable action = timeoutAction;
            if (action != null) {
                visit.onUndeployTimeout(action);
            }
        }
        // The field is read after the visit is added. So either leave() finds the visit, or this check finds the end.
        if (ended) {
            known.values().forEach(InFlight.Visit::end);
            throw new IllegalStateException("The request has ended");
        }
    }

    /** @param action ends the exchange when the undeployment of one of the contexts times out */
    void onUndeployTimeout(Runnable action) {
        timeoutAction = action;
        first.onUndeployTimeout(action);
        Map<WebContext, InFlight.Visit> known = others;
        if (known != null) {
            known.values().forEach(visit -> visit.onUndeployTimeout(action));
        }
    }

    /** Called when the exchange has ended. Idempotent. */
    void leave() {
        ended = true;
        first.end();
        Map<WebContext, InFlight.Visit> known = others;
        if (known != null) {
            known.values().forEach(InFlight.Visit::end);
        }
    }
}
