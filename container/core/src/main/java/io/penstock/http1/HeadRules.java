package io.penstock.http1;

import io.penstock.exchange.Admission;
import io.penstock.exchange.ForwardedRequests;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the heads of requests at one listener.
 *
 * @param admission decides on the requests, after the limits by address
 * @param hosts the hosts that a request may name
 * @param forwarded reads the fields that a trusted proxy adds, such as {@code Forwarded}; null for connections that do not come from a
 *     trusted proxy
 */
record HeadRules(Admission admission, Hosts hosts, @Nullable ForwardedRequests forwarded) {

    /** Rules for the connections of clients that are not trusted proxies. */
    HeadRules(Admission admission, Hosts hosts) {
        this(admission, hosts, null);
    }

    /** Returns the same rules for the connections of trusted proxies. */
    HeadRules forProxies(ForwardedRequests reader) {
        return new HeadRules(admission, hosts, reader);
    }

    /** The hosts that a request may name. */
    enum Hosts {
        ANY,
        /** The hosts for which the TLS handshake was made. Requests for other hosts are answered 421 (RFC 9110 section 15.5.20). */
        OF_HANDSHAKE
    }
}
