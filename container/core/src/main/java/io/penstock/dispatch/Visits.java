package io.penstock.dispatch;

import io.penstock.context.InFlight;
import io.penstock.context.WebContext;
import jakarta.servlet.UnavailableException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The contexts that one exchange has been led into, its own first, none of which ends before the exchange.
 *
 * <p>Thread: those of the exchange.
 */
final class Visits {
    private final WebContext home;
    private final InFlight.Visit first;

    // Made by the first dispatch into another context: most exchanges know none.
    private volatile @Nullable Map<WebContext, InFlight.Visit> others;
    private volatile @Nullable Runnable giveUp;

    Visits(WebContext home, InFlight.Visit first) {
        this.home = home;
        this.first = first;
    }

    /** @throws UnavailableException if the context has been undeployed */
    void enter(WebContext context) throws UnavailableException {
        if (context == home) {
            return;
        }
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
            Runnable asked = giveUp;
            if (asked != null) {
                visit.stays(asked);
            }
        }
    }

    /** @param giveUpAtLast makes the exchange come to its end, where one of the contexts cannot wait longer */
    void stay(Runnable giveUpAtLast) {
        giveUp = giveUpAtLast;
        first.stays(giveUpAtLast);
        Map<WebContext, InFlight.Visit> known = others;
        if (known != null) {
            known.values().forEach(visit -> visit.stays(giveUpAtLast));
        }
    }

    /** The exchange is over; any number of times. */
    void end() {
        first.end();
        Map<WebContext, InFlight.Visit> known = others;
        if (known != null) {
            known.values().forEach(InFlight.Visit::end);
        }
    }
}
