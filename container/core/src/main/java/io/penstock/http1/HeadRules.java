package io.penstock.http1;

import io.penstock.exchange.Admission;
import io.penstock.exchange.ForwardedRequests;
import org.jspecify.annotations.Nullable;

/**
 * How the heads of requests are judged at one listener.
 *
 * @param clients the clients whose requests are judged by these rules
 * @param hosts the hosts for which a connection may have requests
 * @param forwarded reads the fields of trusted proxies; null for the connections of other clients
 */
record HeadRules(
        Clients clients,
        Admission admission,
        Hosts hosts,
        @Nullable ForwardedRequests forwarded) {

    /** For the connections of clients that are not trusted proxies. */
    HeadRules(Clients clients, Admission admission, Hosts hosts) {
        this(clients, admission, hosts, null);
    }

    /** These rules, for the connections of trusted proxies. */
    HeadRules forProxies(ForwardedRequests reader) {
        return new HeadRules(clients, admission, hosts, reader);
    }

    /** The clients of a listener. */
    enum Clients {
        ANY,
        /** Clients that the limits by address let in. These limits are checked before {@code admission}. */
        WITHIN_LIMITS
    }

    /** The hosts of a connection's requests. */
    enum Hosts {
        ANY,
        /** The hosts for which the TLS handshake was made. Requests for other hosts are answered 421 (RFC 9110 section 15.5.20). */
        OF_HANDSHAKE
    }
}
