package io.penstock.loadtest.compare;

import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** What a server and its clients do in one turn. */
interface Job {
    /** The most connections that the clients have open at the same time. */
    int connections();

    /** The most files that a server has open for these connections. */
    default int files() {
        return 0;
    }

    /** Whether the given server has the content that this job needs. */
    default boolean fits(Server server) {
        return !server.isUnderBoot() && !server.needsSessionStore();
    }

    default boolean encrypted() {
        return false;
    }

    default ServerOptions options(ServerOptions common) {
        return common;
    }

    /** The files that servers serve below {@code /files/}, with their sizes in bytes. */
    default Map<String, Long> content() {
        return Map.of();
    }

    /** A job that needs the WebSocket endpoints of the common content. */
    interface OfWebSocket extends Job {
        @Override
        default boolean fits(Server server) {
            return server.hasWebSocket();
        }

        @Override
        default ServerOptions options(ServerOptions common) {
            return common.withWebSocket();
        }
    }

    /** A job for which all servers run at the same time. They are warmed up once, and do the job in turns. */
    interface Together extends Job {
        /** Does the job for the given time, without a measurement. */
        void warmUp(Stage stage, Contender contender, Duration time) throws IOException, InterruptedException;

        void measure(Stage stage, Contender contender, Figures figures) throws IOException, InterruptedException;
    }

    /**
     * A job that starts a new server for each turn, while no other server runs. So a turn does not change the figures of the next turn. If
     * a turn fails, the figures that it has stored remain.
     */
    interface Alone extends Job {
        void measure(Stage stage, Server server, Figures figures) throws IOException, InterruptedException;
    }
}
