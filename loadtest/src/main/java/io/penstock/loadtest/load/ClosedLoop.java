package io.penstock.loadtest.load;

import io.penstock.loadtest.client.ClientLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Simulates users that wait for each response before they send the next request (a closed loop). If the server pauses, users send fewer
 * requests. Each pause then affects only one request of each user, so high percentiles hide pauses of the server. Use {@link OpenLoop} to
 * measure such pauses.
 *
 * <p>Owns: its users.
 */
public final class ClosedLoop extends Load {
    private final ClosedPlan plan;
    private final List<User> users;
    private long countFrom;
    private long countUntil;

    public ClosedLoop(ClientLoop loop, ClosedPlan plan) {
        super(loop, plan.deadline());
        this.plan = plan;
        this.users = new ArrayList<>(plan.users());
    }

    ClosedPlan plan() {
        return plan;
    }

    /** Whether events at the given time are counted. */
    boolean counts(long now) {
        return now - countFrom >= 0 && now - countUntil < 0;
    }

    @Override
    void begin() {
        long start = nanos();
        countFrom = start + plan.warmUp().toNanos();
        countUntil = countFrom + plan.duration().toNanos();
        loop().at(countFrom, measurement()::begin);
        loop().at(countUntil, this::end);
        comeIn(start);
    }

    /** Starts all users that are due now, and schedules the next call of this method for the next user. */
    private void comeIn(long start) {
        long between = plan.rampUp().toNanos() / plan.users();
        long now = nanos();
        while (isRunning() && users.size() < plan.users()) {
            long at = start + users.size() * between;
            if (at - now > 0) {
                loop().at(at, () -> comeIn(start));
                return;
            }
            User user = new User(
                    this, plan.requests().get(users.size() % plan.requests().size()));
            users.add(user);
            user.connect();
        }
    }

    @Override
    Duration elapsed() {
        if (users.isEmpty()) {
            return Duration.ZERO;
        }
        long now = nanos();
        long last = now - countUntil < 0 ? now : countUntil;
        return Duration.ofNanos(Math.max(0, last - countFrom));
    }

    @Override
    long disconnect() {
        measurement().onUnserved(users.stream().filter(user -> !user.isServed()).count());
        return users.stream().mapToLong(User::leave).sum();
    }
}
