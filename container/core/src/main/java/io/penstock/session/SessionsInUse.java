package io.penstock.session;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of a context that requests use just now. All others are at rest.
 *
 * <p>Thread: any. What is called under the lock of one session's {@link Use} may be application code.
 */
final class SessionsInUse {
    private static final Logger LOG = LoggerFactory.getLogger(SessionsInUse.class);

    private final ConcurrentHashMap<String, Use> uses = new ConcurrentHashMap<>();

    /** The session of that id with one more user; {@code fetch} is asked where nobody uses it yet. */
    @Nullable
    WebSession join(String id, Supplier<@Nullable WebSession> fetch) {
        while (true) {
            Use use = uses.computeIfAbsent(id, key -> new Use());
            Use.Joined joined;
            try {
                joined = use.join(fetch);
            } finally {
                if (use.isOver()) {
                    uses.remove(id, use);
                }
            }
            switch (joined) {
                case YES -> {
                    return use.session();
                }
                case ABSENT -> {
                    return null;
                }
                case TOO_LATE -> LOG.trace("A session was put to rest as it was asked for");
            }
        }
    }

    /** The session has one user less; {@code putBack} is called for the last one. */
    void leave(WebSession session, Consumer<WebSession> putBack) {
        Use use = session.use();
        try {
            use.leave(putBack);
        } finally {
            if (use.isOver()) {
                uses.remove(session.getId(), use);
            }
        }
    }

    /** The session, which is in use, is found by {@code newId} too. */
    void alsoBy(String newId, WebSession session) {
        uses.put(newId, session.use());
    }

    /** Nobody finds the session by that id any more. */
    void forget(String id, WebSession session) {
        uses.remove(id, session.use());
    }

    Collection<String> ids() {
        return List.copyOf(uses.keySet());
    }
}
