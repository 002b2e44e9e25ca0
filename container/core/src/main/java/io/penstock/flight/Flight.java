package io.penstock.flight;

import io.penstock.events.ConnectionEvents;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether this Java runtime has Java Flight Recorder. This class does not directly use classes of the module {@code jdk.jfr}, which
 * can be missing.
 */
public final class Flight {
    private static final Logger LOG = LoggerFactory.getLogger(Flight.class);

    private Flight() {}

    /** The recorder of events; empty if the module {@code jdk.jfr} is missing. */
    public static Optional<ConnectionEvents> recorder() {
        try {
            return Optional.of(new FlightEvents());
        } catch (LinkageError e) {
            LOG.debug("This Java has no flight recorder", e);
            return Optional.empty();
        }
    }
}
