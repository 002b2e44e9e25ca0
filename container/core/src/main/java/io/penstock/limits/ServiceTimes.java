package io.penstock.limits;

import java.time.Duration;

/**
 * Limits on the time that a request spends inside the server, regardless of its client.
 *
 * @param queueAge the longest time that a request waits for a worker; after this time, the request is answered 503
 * @param overloadAfter the time for which the queue of requests may be non-empty without a break. After this time, fewer requests may wait.
 *     Zero for no limit
 * @param call the time after which a call of filters and servlet is interrupted. If the call still runs after twice this time, the server
 *     itself answers the request or closes the connection. Zero for no limit
 * @param async the timeout of an asynchronous request if the application sets no timeout; zero for no limit
 */
public record ServiceTimes(Duration queueAge, Duration overloadAfter, Duration call, Duration async) {

    public ServiceTimes {
        Check.positive(Key.QUEUE_AGE, queueAge);
        Check.notNegative(Key.OVERLOAD_AFTER, overloadAfter);
        Check.notNegative(Key.SERVICE_TIMEOUT, call);
        Check.notNegative(Key.ASYNC_TIMEOUT, async);
    }

    public static ServiceTimes defaults() {
        return of(Configuration.defaults());
    }

    static ServiceTimes of(Configuration given) {
        return new ServiceTimes(
                given.duration(Key.QUEUE_AGE),
                given.duration(Key.OVERLOAD_AFTER),
                given.duration(Key.SERVICE_TIMEOUT),
                given.duration(Key.ASYNC_TIMEOUT));
    }
}
