package io.penstock.server;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The logger of the server. It is named after the public class {@code Penstock}. */
final class ServerLog {
    private static final String NAME = "io.penstock.Penstock";

    private ServerLog() {}

    static Logger logger() {
        return LoggerFactory.getLogger(NAME);
    }
}
