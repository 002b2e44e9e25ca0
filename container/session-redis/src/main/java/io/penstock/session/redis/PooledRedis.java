package io.penstock.session.redis;

import io.penstock.session.redis.RedisLocation.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;
import redis.clients.jedis.util.Pool;

/**
 * A single Redis server, or the current master of a Redis Sentinel group.
 *
 * <p>After a restart or a failover, the idle connections are closed by Redis or are connected to a replica. If a call fails for this
 * reason, all idle connections are closed. Then the call is repeated with a new connection. A call without an answer in time is not
 * repeated.
 *
 * <p>Thread: any. Owns: the connections.
 */
final class PooledRedis implements Redis {
    private final RedisLocation location;
    private final RedisFailures failures;
    private final LazyResource<ConnectionProvider> connections;

    /** Creates the object without a connection. The first call connects. */
    PooledRedis(RedisLocation location) {
        this.location = location;
        this.failures = new RedisFailures(location.address());
        this.connections = new LazyResource<>(this::connect, location.timeouts().connection());
    }

    private ConnectionProvider connect() {
        if (location.kind() == Kind.SENTINEL) {
            return new SentineledConnectionProvider(
                    location.master(), location.client(), location.pool(), location.nodes(), location.sentinelClient());
        }
        return new PooledConnectionProvider(location.nodes().iterator().next(), location.client(), location.pool());
    }

    @Override
    public Reach reach() {
        return Reach.ALL_KEYS;
    }

    @Override
    public Duration repeatedWithin() {
        return location.timeouts().repeatedWithin();
    }

    @Override
    public Object run(Script script, List<byte[]> keys, List<byte[]> arguments) throws IOException {
        long start = System.nanoTime();
        try {
            return attempt(script, keys, arguments);
        } catch (JedisConnectionException e) {
            long passed = System.nanoTime() - start;
            if (RedisFailures.isTimeout(e) || passed > repeatedWithin().toNanos()) {
                throw failures.of(e);
            }
        } catch (JedisDataException e) {
            if (!RedisFailures.isPassing(e)) {
                throw failures.of(e);
            }
        } catch (JedisException e) {
            throw failures.of(e);
        }
        closeIdle();
        try {
            return attempt(script, keys, arguments);
        } catch (JedisException e) {
            throw failures.of(e);
        }
    }

    private Object attempt(Script script, List<byte[]> keys, List<byte[]> arguments) {
        try (Connection connection = connections.get().getConnection()) {
            try {
                return connection.executeCommand(command(Protocol.Command.EVALSHA, script.digest(), keys, arguments));
            } catch (JedisNoScriptException e) {
                return connection.executeCommand(command(Protocol.Command.EVAL, script.text(), keys, arguments));
            }
        }
    }

    private static CommandArguments command(
            Protocol.Command command, byte[] script, List<byte[]> keys, List<byte[]> arguments) {
        CommandArguments all = new CommandArguments(command).add(script).add(keys.size());
        keys.forEach(all::add);
        arguments.forEach(all::add);
        return all;
    }

    private void closeIdle() {
        ConnectionProvider made = connections.getIfMade();
        if (made != null) {
            made.getConnectionMap().values().forEach(pool -> ((Pool<?>) pool).clear());
        }
    }

    @Override
    public void close() throws IOException {
        connections.close();
    }
}
