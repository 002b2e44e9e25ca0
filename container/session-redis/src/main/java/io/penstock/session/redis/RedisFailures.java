package io.penstock.session.redis;

import io.penstock.store.StoreUnavailableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisClusterException;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Converts exceptions of the Redis client to exceptions of a session store. The messages contain the address of Redis, but no password. */
final class RedisFailures {

    /**
     * The first words of temporary errors that affect all sessions. Such errors occur during a start or a failover, or while memory or disk
     * is full.
     */
    private static final Set<String> PASSING = Set.of(
            "BUSY", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "MISCONF", "NOREPLICAS", "OOM", "READONLY", "TRYAGAIN");

    /** The error texts for a script whose user lacks a right. The first text is from Redis 7.0, the second text is from later versions. */
    private static final List<String> RIGHTS_OF_SCRIPTS =
            List.of("The user executing the script can't", "ACL failure in script");

    private final String address;

    RedisFailures(String address) {
        this.address = address;
    }

    IOException of(JedisException failure) {
        Throwable cause = failure.getCause();
        if (cause instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return new InterruptedIOException("interrupted in a wait for a connection to Redis");
        }
        if (cause instanceof NoSuchElementException) {
            return unavailable("all connections are busy", failure);
        }
        if (failure instanceof JedisClusterOperationException) {
            // The cause is the failure of the last attempt. If no node of the cluster could be reached, there is no
            // cause, and the first suppressed exception is the failure of the first node.
            Throwable last = cause == null && failure.getSuppressed().length > 0 ? failure.getSuppressed()[0] : cause;
            if (last instanceof JedisException inner) {
                return of(inner);
            }
        }
        if (failure instanceof JedisConnectionException
                || failure instanceof JedisClusterException
                || failure instanceof JedisClusterOperationException) {
            return unavailable(isTimeout(failure) ? "no answer in time" : text(failure), failure);
        }
        if (isRefusal(failure)) {
            return new StoreUnavailableException("Redis at " + address + " refuses: " + text(failure), failure);
        }
        if (failure instanceof JedisDataException) {
            return isPassing(failure)
                    ? unavailable(text(failure), failure)
                    : new IOException("Redis at " + address + " reports: " + text(failure), failure);
        }
        return unavailable(text(failure), failure);
    }

    StoreUnavailableException unavailable(String reason, Throwable cause) {
        return new StoreUnavailableException("Redis at " + address + " is not available: " + reason, cause);
    }

    /** Whether Redis rejects the user or the password, or the user lacks a right. */
    static boolean isRefusal(@Nullable Throwable failure) {
        if (failure instanceof JedisAccessControlException) {
            return true;
        }
        if (!(failure instanceof JedisDataException)) {
            return false;
        }
        String text = text(failure);
        return text.startsWith("ERR AUTH ") || RIGHTS_OF_SCRIPTS.stream().anyMatch(text::contains);
    }

    /** Whether the error means that this Redis server temporarily cannot serve sessions. */
    static boolean isPassing(JedisException failure) {
        String message = text(failure);
        int blank = message.indexOf(' ');
        return PASSING.contains(blank < 0 ? message : message.substring(0, blank))
                || message.startsWith("ERR max number of clients");
    }

    static boolean isTimeout(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }

    /** The message without the full stop at its end. Some messages of the Redis client have one. */
    private static String text(Throwable failure) {
        String message = failure.getMessage();
        if (message == null) {
            return failure.getClass().getSimpleName();
        }
        return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
    }
}
