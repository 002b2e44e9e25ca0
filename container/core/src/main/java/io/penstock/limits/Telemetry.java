package io.penstock.limits;

/**
 * Optional reports about the time of each request, in addition to metrics and access log.
 *
 * @param serverTiming whether responses have a {@code Server-Timing} field
 * @param flight whether recordings of Java Flight Recorder get the server's events
 */
public record Telemetry(Switch serverTiming, Switch flight) {

    public static Telemetry defaults() {
        return of(Configuration.defaults());
    }

    static Telemetry of(Configuration given) {
        return new Telemetry(
                Check.choice(Key.SERVER_TIMING, given.text(Key.SERVER_TIMING), Switch.class),
                Check.choice(Key.FLIGHT, given.text(Key.FLIGHT), Switch.class));
    }
}
