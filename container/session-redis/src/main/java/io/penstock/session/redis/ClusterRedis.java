package io.penstock.session.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Redis Cluster. The client knows the node of each key and follows redirections. If a node does not answer, the client repeats the call
 * within the time limit of the call.
 *
 * <p>Thread: any. Owns: the connections.
 */
final class ClusterRedis implements Redis {
    private static final int ATTEMPTS = 4;

    private final RedisFailures failures;
    private final Duration repeatedWithin;
    private final LazyResource<RedisClusterClient> client;

    /** Creates the object without a connection. The first call connects. */
    ClusterRedis(RedisLocation location) {
        this.failures = new RedisFailures(location.address());
        this.repeatedWithin = location.timeouts().repeatedWithin();
        this.client = new LazyResource<>(
                () -> RedisClusterClient.builder()
                        .nodes(location.nodes())
                        .clientConfig(location.client())
                        .poolConfig(location.pool())
                        .maxAttempts(ATTEMPTS)
                        .maxTotalRetriesDuration(location.timeouts().all())
                        .build(),
                location.timeouts().connection());
    }

    @Override
    public Reach reach() {
        return Reach.ONE_TAG;
    }

    @Override
    public Duration repeatedWithin() {
        return repeatedWithin;
    }

    @Override
    public Object run(Script script, List<byte[]> keys, List<byte[]> arguments) throws IOException {
        try {
            RedisClusterClient made = client.get();
            try {
                return made.evalsha(script.digest(), keys, arguments);
            } catch (JedisNoScriptException e) {
                return made.eval(script.text(), keys, arguments);
            }
        } catch (JedisException e) {
            throw failures.of(e);
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
