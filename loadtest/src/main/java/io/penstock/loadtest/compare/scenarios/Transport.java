package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.Server;

/** The transport of all clients in one part of a scenario: with or without TLS. */
enum Transport {
    /** Without TLS. */
    PLAIN(""),
    /** Over TLS. */
    TLS(" over TLS"),
    /** Without TLS, and only for Penstock. The results are the baseline for Penstock's results over TLS. */
    PLAIN_BESIDE_TLS(" without TLS");

    private final String suffix;

    Transport(String suffix) {
        this.suffix = suffix;
    }

    /** The text that is appended to the name of a part. */
    String suffix() {
        return suffix;
    }

    boolean concerns(Server server) {
        return this != PLAIN_BESIDE_TLS || server.isPenstock();
    }
}
