package io.penstock.session.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A connection to Redis that runs all scripts except the script {@code last}. For this script, the connection throws an exception. So the
 * connection simulates that the process of Penstock ends before it runs this script.
 */
record DyingRedis(Redis redis, Script last) implements Redis {

    static final class Died extends IOException {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public Reach reach() {
        return redis.reach();
    }

    @Override
    public Duration repeatedWithin() {
        return redis.repeatedWithin();
    }

    @Override
    public Object run(Script script, List<byte[]> keys, List<byte[]> arguments) throws IOException {
        if (script == last) {
            throw new Died();
        }
        return redis.run(script, keys, arguments);
    }

    @Override
    public void close() {}
}
