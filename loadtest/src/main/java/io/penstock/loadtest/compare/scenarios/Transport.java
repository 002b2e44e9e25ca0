package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.Server;

/** The way in which the clients of one part of a scenario, slow and normal ones, speak with the servers. */
enum Transport {
    /** Without TLS. */
    PLAIN(""),
    /** Over TLS. */
    TLS(" over TLS"),
    /** Without TLS, with Penstock only: the baseline for its parts over TLS. */
    PLAIN_BESIDE_TLS(" without TLS");

    private final String suffix;

    Transport(String suffix) {
        this.suffix = suffix;
    }

    /** For the name of a part. */
    String suffix() {
        return suffix;
    }

    boolean concerns(Server server) {
        return this != PLAIN_BESIDE_TLS || server.isPenstock();
    }
}
