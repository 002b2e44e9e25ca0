package io.penstock.http1;

import io.penstock.exchange.AddressGate;
import io.penstock.exchange.Admission;
import io.penstock.exchange.ForwardedRequests;
import org.jspecify.annotations.Nullable;

/**
 * How the heads of requests are judged at one listener.
 *
 * @param addresses decides by the addresses of clients, before {@code admission}; null if all are alike
 * @param hosts for which hosts a connection may have requests
 * @param forwarded reads the fields of trusted proxies; null for the connections of others
 */
record HeadRules(
        @Nullable AddressGate addresses,
        Admission admission,
        Hosts hosts,
        @Nullable ForwardedRequests forwarded) {

    /** For the connections of clients that may be anybody. */
    HeadRules(@Nullable AddressGate addresses, Admission admission, Hosts hosts) {
        this(addresses, admission, hosts, null);
    }

    /** The same for the connections of trusted proxies. */
    HeadRules forProxies(ForwardedRequests reader) {
        return new HeadRules(addresses, admission, hosts, reader);
    }

    /** The hosts of a connection's requests. */
    enum Hosts {
        ANY,
        /** Those for which its TLS handshake was made; others are answered 421 (RFC 9110 section 15.5.20). */
        OF_HANDSHAKE
    }
}
