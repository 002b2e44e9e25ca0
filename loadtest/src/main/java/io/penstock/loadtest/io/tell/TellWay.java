package io.penstock.loadtest.io.tell;

import java.util.Set;

/** Who listens. */
public enum TellWay {
    NOBODY("nobody", Set.of()),
    FLIGHT("Flight Recorder, no recording", Set.of(Listener.FLIGHT)),
    FLIGHT_RECORDED("Flight Recorder, a recording by default settings", Set.of(Listener.FLIGHT, Listener.RECORDING)),
    METRICS("metrics", Set.of(Listener.METRICS)),
    ACCESS_LOG("access log, combined", Set.of(Listener.ACCESS_LOG)),
    ALL("all of them, no recording", Set.of(Listener.FLIGHT, Listener.METRICS, Listener.ACCESS_LOG)),
    ALL_RECORDED("all of them, and a recording", Set.of(Listener.values()));

    /** One of those who can listen, or what one of them needs to have something to do. */
    enum Listener {
        METRICS,
        ACCESS_LOG,
        FLIGHT,
        RECORDING
    }

    private final String label;
    private final Set<Listener> listeners;

    TellWay(String label, Set<Listener> listeners) {
        this.label = label;
        this.listeners = listeners;
    }

    public String label() {
        return label;
    }

    boolean has(Listener listener) {
        return listeners.contains(listener);
    }
}
