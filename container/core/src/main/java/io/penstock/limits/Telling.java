package io.penstock.limits;

/**
 * To whom the server tells where the time of each request goes.
 *
 * @param serverTiming its client, by a {@code Server-Timing} field
 * @param flight the recordings of Java Flight Recorder
 */
public record Telling(Switch serverTiming, Switch flight) {

    public static Telling defaults() {
        return of(Configuration.defaults());
    }

    static Telling of(Configuration given) {
        return new Telling(
                Switch.of(Key.SERVER_TIMING, given.text(Key.SERVER_TIMING)),
                Switch.of(Key.FLIGHT, given.text(Key.FLIGHT)));
    }
}
