package io.penstock.session.redis;

import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.SessionStores;
import io.penstock.store.StoreUnavailableException;
import java.io.IOException;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session stores of a server in one Redis. Programs use {@code Penstock.builder().sessions(RedisSessions.open("redis://cache:6379"))}.
 * Operators use {@code --session-store}.
 *
 * <p>Thread: the threads that deploy applications; several at once. Owns: the connections to Redis.
 */
public final class RedisSessions implements SessionStores {
    private static final Logger LOG = LoggerFactory.getLogger(RedisSessions.class);

    private final RedisLocation location;
    private final Redis redis;

    private RedisSessions(RedisLocation location, Redis redis) {
        this.location = location;
        this.redis = redis;
    }

    /**
     * Opens the stores. If Redis cannot be reached, the method only logs a warning. Requests without a session do not need Redis, and Redis
     * can become reachable later.
     *
     * @param location an address with options, as documented for {@code session-store}
     * @throws IOException if the address is wrong, a file cannot be read, Redis rejects the user or the password, or the user lacks a
     *     right; the message is one line with the reason, without a password
     */
    public static RedisSessions open(String location) throws IOException {
        RedisLocation parsed = RedisLocation.parse(location);
        Redis redis = parsed.kind() == RedisLocation.Kind.CLUSTER ? new ClusterRedis(parsed) : new PooledRedis(parsed);
        RedisSessions sessions = new RedisSessions(parsed, redis);
        try {
            sessions.store("/").load(SessionKey.of(""), 0);
        } catch (StoreUnavailableException e) {
            if (RedisFailures.isRefusal(e.getCause())) {
                sessions.close();
                throw new IOException(e.getMessage(), e.getCause());
            }
            LOG.warn("{}. Until it can be reached, requests that need a session are answered 503", e.getMessage());
        } catch (IOException e) {
            sessions.close();
            throw e;
        }
        return sessions;
    }

    /** Opens the stores, as {@link #open(String)} does. */
    public static RedisSessions open(URI location) throws IOException {
        return open(location.toString());
    }

    @Override
    public SessionStore of(String contextPath) {
        return store(contextPath);
    }

    private SessionStore store(String contextPath) {
        return new RedisSessionStore(redis, new SessionNames(location.prefix(), contextPath), location.conflict());
    }

    @Override
    public void close() throws IOException {
        redis.close();
    }
}
