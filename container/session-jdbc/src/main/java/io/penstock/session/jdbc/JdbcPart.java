package io.penstock.session.jdbc;

import io.penstock.part.ContainerPart;
import io.penstock.part.SessionStoreProvider;
import io.penstock.store.SessionStores;
import java.io.IOException;
import java.util.List;

/** Provides session stores for {@code --session-store jdbc:...}. Thread: the threads that deploy applications; several at once. */
public final class JdbcPart implements ContainerPart {

    @Override
    public List<SessionStoreProvider> sessionStores() {
        return List.of(new Provider());
    }

    private static final class Provider implements SessionStoreProvider {
        @Override
        public String scheme() {
            return "jdbc";
        }

        @Override
        public SessionStores open(String location) throws IOException {
            return JdbcSessions.open(location);
        }
    }
}
