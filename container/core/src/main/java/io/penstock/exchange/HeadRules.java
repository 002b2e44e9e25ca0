package io.penstock.exchange;

import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.reactor.TlsSession;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Decides on the requests of one listener by their heads, in any protocol: by the hosts of the TLS handshake, then by the limits for the
 * client's address, then by the {@link Admission}.
 *
 * <p>Thread: the reactors.
 *
 * @param admission decides on the requests, after the limits by address
 * @param hosts the hosts that a request may name
 * @param proxies reads the fields that a trusted proxy adds, such as {@code Forwarded}; null for connections that do not come from a
 *     trusted proxy
 */
public record HeadRules(
        ServerResources server,
        Admission admission,
        Hosts hosts,
        @Nullable ForwardedRequests proxies) {
    private static final Admission.Verdict MISDIRECTED = new Admission.Refused(
            421, Fields.EMPTY, "421 Misdirected Request\nThis connection was made for another host\n", "misdirected");

    /** The hosts that a request may name. */
    public enum Hosts {
        ANY,
        /**
         * The hosts for which the TLS handshake was made. Requests for other hosts are answered 421 (RFC 9110 section 15.5.20). The client
         * can send them again on another connection.
         */
        OF_HANDSHAKE
    }

    /** Rules for the connections of clients that are not trusted proxies. */
    public HeadRules(ServerResources server, Admission admission, Hosts hosts) {
        this(server, admission, hosts, null);
    }

    /** Returns the same rules for the connections of trusted proxies. */
    public HeadRules forProxies(ForwardedRequests reader) {
        return new HeadRules(server, admission, hosts, reader);
    }

    /**
     * Decides on a request. If a limit refuses the request, counts this.
     *
     * @param sent the head as the peer of the connection has sent it
     * @param forwarded the head and the client that a trusted proxy has described; null if there is no such description
     * @param length the declared length of the body; 0 or less if the request has no body or declares no length
     * @throws Violation if no application may get this head, or if the declared length exceeds the limit for the body
     */
    public Admission.Verdict decide(
            RunningExchange.Stream stream,
            RequestHead sent,
            ForwardedRequests.@Nullable Forwarded forwarded,
            long length)
            throws Violation {
        if (hosts == Hosts.OF_HANDSHAKE && isMisdirected(stream, sent)) {
            return MISDIRECTED;
        }
        RequestHead head = forwarded == null ? sent : forwarded.head();
        Admission.Verdict verdict = stopped(stream, head, forwarded);
        if (verdict == null) {
            verdict = server.admit(admission, head);
        }
        if (verdict instanceof Admission.Limited limited) {
            server.reached(limited.limit());
        } else if (length > 0
                && verdict instanceof Admission.Admitted admitted
                && length > server.bodyLimit(admitted)) {
            throw new Violation(Key.BODY_LIMIT);
        }
        return verdict;
    }

    /** Whether the request names a host that the TLS handshake of the connection does not cover. */
    private static boolean isMisdirected(RunningExchange.Stream stream, RequestHead sent) {
        TlsSession tls = stream.tls();
        if (tls == null) {
            return false;
        }
        String host = sent.host();
        return !tls.hosts().test(host == null ? "" : host);
    }

    /** Checks the limits for the client's address. Returns the refusal if the address has exceeded a limit, otherwise null. */
    private Admission.@Nullable Verdict stopped(
            RunningExchange.Stream stream, RequestHead head, ForwardedRequests.@Nullable Forwarded forwarded)
            throws Violation {
        AddressGate gate = server.addressGate();
        if (gate == null || admission.isForAllAddresses(head)) {
            return null;
        }
        InetAddress client = (forwarded == null ? stream.peer() : forwarded.client()).remoteIp();
        Admission.Limited stopped = gate.stop(client);
        return stopped == null ? admission.stop(head, client) : stopped;
    }
}
