package io.penstock.http1;

import io.penstock.exchange.Admission;

/**
 * How the heads of requests are judged at one listener.
 *
 * @param hosts for which hosts a connection may have requests
 */
record HeadRules(Admission admission, Hosts hosts) {

    /** The hosts of a connection's requests. */
    enum Hosts {
        ANY,
        /** Those for which its TLS handshake was made; others are answered 421 (RFC 9110 section 15.5.20). */
        OF_HANDSHAKE
    }
}
