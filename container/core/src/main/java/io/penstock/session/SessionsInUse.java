package io.penstock.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of a context that requests use at this moment. All other sessions are in the {@link SessionRepository} only.
 *
 * <p>Thread: any. Application code may be called under the lock of one session's {@link SessionUse}.
 */
final class SessionsInUse {
    private static final Logger LOG = LoggerFactory.getLogger(SessionsInUse.class);

    /** The uses, by session id. A request for a session id joins the use of this id. */
    private final ConcurrentHashMap<String, SessionUse> uses = new ConcurrentHashMap<>();

    /**
     * Uses that no request joins any more, since another server has changed the session. Each of these uses has users that have not left
     * yet.
     */
    private final Set<SessionUse> outdated = ConcurrentHashMap.newKeySet();

    /**
     * Joins the session with the given id; returns null if there is none. {@code fetch} loads the session for the first user. {@code
     * isCurrent} decides whether further users may join.
     */
    @Nullable
    WebSession join(String id, Supplier<@Nullable WebSession> fetch, Predicate<WebSession> isCurrent) {
        while (true) {
            SessionUse use = uses.computeIfAbsent(id, key -> new SessionUse());
            SessionUse.Joined joined;
            try {
                joined = use.join(fetch, isCurrent);
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
                case TOO_LATE -> LOG.trace("A session was released while it was requested");
                case OUTDATED -> setAside(id, use);
            }
        }
    }

    /** Closes an outdated use for new users. The present users keep their objects. The next request loads the session again. */
    private void setAside(String id, SessionUse use) {
        outdated.add(use);
        if (use.isOver()) {
            // The last user has just left.
            outdated.remove(use);
        }
        uses.remove(id, use);
    }

    /** Removes a user. Calls {@code putBack} for the last user, and {@code save} for other users. */
    void leave(WebSession session, Consumer<WebSession> save, Consumer<WebSession> putBack) {
        SessionUse use = session.use();
        try {
            use.leave(save, putBack);
        } finally {
            if (use.isOver()) {
                uses.remove(session.getId(), use);
                outdated.remove(use);
            }
        }
    }

    /** From now on requests also find the session by {@code newId}. The session must be in use. */
    void addId(String newId, WebSession session) {
        uses.put(newId, session.use());
    }

    /** From now on requests do not find the session by {@code id}. */
    void removeId(String id, WebSession session) {
        uses.remove(id, session.use());
    }

    int count() {
        return uses.size();
    }

    /** The loaded sessions. May wait for a session that is being loaded. */
    Collection<WebSession> all() {
        List<WebSession> all = new ArrayList<>();
        uses.values().forEach(use -> addTo(all, use));
        outdated.forEach(use -> addTo(all, use));
        return all;
    }

    private static void addTo(List<WebSession> all, SessionUse use) {
        WebSession session = use.sessionOrNull();
        if (session != null) {
            all.add(session);
        }
    }

    Collection<String> ids() {
        return List.copyOf(uses.keySet());
    }
}
