package io.penstock.limits;

import java.time.Duration;

/**
 * How long a request may take inside the server, whatever its client does.
 *
 * @param queueAge how long it may wait for a worker; then 503
 * @param overloadAfter how long requests may wait for workers without a break before fewer of them may; zero for no limit
 * @param call how long one call of filters and servlet may run; then it is interrupted, and after as much time again its client is answered
 *     or closed without it; zero for no limit
 * @param async how long an asynchronous request may go on where the application sets no timeout; zero for no limit
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
