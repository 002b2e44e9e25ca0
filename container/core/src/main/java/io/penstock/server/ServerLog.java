package io.penstock.server;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of the server. It has the name of the public class. */
final class ServerLog {
    private static final String NAME = "io.penstock.Penstock";

    private ServerLog() {}

    static Logger logger() {
        return LoggerFactory.getLogger(NAME);
    }
}
