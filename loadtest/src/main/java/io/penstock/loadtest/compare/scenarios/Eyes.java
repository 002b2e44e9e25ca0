package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.ServerOptions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What of a server's ways to be looked at is switched on. */
enum Eyes {
    NOTHING("nothing, once more", Recording.NONE, Set.of(), Map.of()),
    METRICS("metrics", Recording.NONE, Set.of(), Map.of(Eyes.METRICS_KEY, "on")),
    SCRAPED(
            "admin port, metrics scraped every second",
            Recording.NONE,
            Set.of(Onlooker.SCRAPES),
            Map.of(Eyes.METRICS_KEY, "on", Eyes.ADMIN_KEY, "0")),
    FOLLOWED(
            "flow board, followed by a page",
            Recording.NONE,
            Set.of(Onlooker.FOLLOWS),
            Map.of(Eyes.METRICS_KEY, "on", Eyes.ADMIN_KEY, "0")),
    ACCESS_LOG("access log, combined", Recording.NONE, Set.of(), Map.of(Eyes.LOG_KEY, Eyes.LOG_FILE)),
    SERVER_TIMING("Server-Timing", Recording.NONE, Set.of(), Map.of(Eyes.TIMING_KEY, "on")),
    FLIGHT("events for Flight Recorder, no recording", Recording.NONE, Set.of(), Map.of(Eyes.FLIGHT_KEY, "on")),
    UNWATCHED("all of these, and nobody looks", Recording.NONE, Set.of(), Eyes.everything()),
    ALL("all of these", Recording.NONE, Set.of(Onlooker.values()), Eyes.everything()),
    RECORDED_JVM("a recording of the JVM alone", Recording.RUNS, Set.of(), Map.of()),
    RECORDED("a recording, with Penstock's events", Recording.RUNS, Set.of(), Map.of(Eyes.FLIGHT_KEY, "on")),
    ALL_RECORDED("all of these, and a recording", Recording.RUNS, Set.of(Onlooker.values()), Eyes.everything());

    private static final String METRICS_KEY = "request-metrics";
    private static final String ADMIN_KEY = "admin-port";
    private static final String LOG_KEY = "access-log";
    private static final String LOG_FILE = "access.log";
    private static final String TIMING_KEY = "server-timing";
    private static final String FLIGHT_KEY = "flight";

    /** All switches are named, so that nothing depends on defaults. */
    private static final Map<String, String> OFF =
            Map.of(METRICS_KEY, "off", ADMIN_KEY, "off", LOG_KEY, "none", TIMING_KEY, "off", FLIGHT_KEY, "off");

    /** Whether the JVM records itself, as a production server would, all day. */
    private enum Recording {
        NONE,
        RUNS
    }

    private final String title;
    private final Recording recording;
    private final Set<Onlooker> onlookers;
    private final Map<String, String> on;

    Eyes(String title, Recording recording, Set<Onlooker> onlookers, Map<String, String> on) {
        this.title = title;
        this.recording = recording;
        this.onlookers = onlookers;
        this.on = on;
    }

    private static Map<String, String> everything() {
        return Map.of(METRICS_KEY, "on", ADMIN_KEY, "0", LOG_KEY, LOG_FILE, TIMING_KEY, "on", FLIGHT_KEY, "on");
    }

    /** The name on the command line. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String title() {
        return title;
    }

    Set<Onlooker> onlookers() {
        return onlookers;
    }

    /** All off. */
    static ServerOptions closed(ServerOptions common) {
        return with(common, OFF);
    }

    /** This one on, the others off. */
    ServerOptions open(ServerOptions common) {
        ServerOptions open = with(closed(common), on);
        return recording == Recording.NONE
                ? open
                : open.withJvm(List.of("-XX:StartFlightRecording=settings=default", "-Xlog:jfr*=off"));
    }

    private static ServerOptions with(ServerOptions common, Map<String, String> settings) {
        ServerOptions set = common;
        for (Map.Entry<String, String> one : settings.entrySet()) {
            set = set.with(one.getKey(), one.getValue());
        }
        return set;
    }
}
