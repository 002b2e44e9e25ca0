package io.penstock.session.redis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * An object that is created at its first use. If the creation fails, the next use tries the creation again. The objects are clients of
 * Redis Sentinel or Redis Cluster. Their creation needs a reachable server.
 *
 * <p>Thread: any. While one thread creates the object, other threads wait for a limited time.
 */
final class LazyResource<T extends AutoCloseable> implements AutoCloseable {
    private final Supplier<T> maker;
    private final Duration wait;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private boolean closed;

    private volatile @Nullable T made;

    /** @param maker creates the object; throws a {@link JedisException} if the creation fails */
    LazyResource(Supplier<T> maker, Duration wait) {
        this.maker = maker;
        this.wait = wait;
    }

    @Nullable
    T getIfMade() {
        return made;
    }

    /** @throws JedisException if the object cannot be created at the moment */
    T get() {
        T known = made;
        return known != null ? known : make();
    }

    private T make() {
        try {
            if (!lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new JedisConnectionException("another thread is connecting");
            }
        } catch (InterruptedException e) {
            throw new JedisException("interrupted", e);
        }
        try {
            if (closed) {
                throw new JedisConnectionException("the connections are closed");
            }
            T known = made;
            if (known == null) {
                known = maker.get();
                made = known;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            T known = made;
            if (known != null) {
                known.close();
            }
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        } finally {
            lock.unlock();
        }
    }
}
