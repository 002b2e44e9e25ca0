package io.penstock.limits;

/**
 * To whom the server tells where the time of each request goes, beside metrics and access log.
 *
 * @param serverTiming its client, by a {@code Server-Timing} field
 * @param flight the recordings of Java Flight Recorder
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
