package io.penstock.session.redis;

import io.penstock.part.ContainerPart;
import io.penstock.part.SessionStoreProvider;
import io.penstock.store.SessionStores;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Provides session stores in Redis. Thread: any. */
public final class RedisPart implements ContainerPart {

    /** The provider for one URL scheme. It loads no class of the Redis client before it opens stores. */
    private record Provider(String scheme) implements SessionStoreProvider {
        @Override
        public SessionStores open(String location) throws IOException {
            return RedisSessions.open(location);
        }
    }

    @Override
    public List<SessionStoreProvider> sessionStores() {
        List<SessionStoreProvider> providers = new ArrayList<>();
        for (RedisLocation.Kind kind : RedisLocation.Kind.values()) {
            for (String scheme : kind.schemes()) {
                providers.add(new Provider(scheme));
            }
        }
        return List.copyOf(providers);
    }
}
