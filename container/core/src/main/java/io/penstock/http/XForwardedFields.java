package io.penstock.http;

import java.net.InetAddress;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code X-Forwarded-For}, {@code X-Forwarded-Proto}, {@code X-Forwarded-Host} and {@code X-Forwarded-Port}, which no standard
 * defines. Each field is a list to which proxies append, so the last value comes from the nearest proxy. Addresses before the client's
 * address are ignored, because the client may have sent them.
 *
 * <p>Thread: any.
 */
public final class XForwardedFields {

    private XForwardedFields() {}

    /** See {@link Forwarding.Reader#read}. */
    public static @Nullable Forwarding read(Fields fields, Predicate<InetAddress> trusted) throws Violation {
        ForwardedNode client = client(new ListFromEnd(fields, "X-Forwarded-For"), trusted);
        String scheme = new ListFromEnd(fields, "X-Forwarded-Proto").next();
        String host = new ListFromEnd(fields, "X-Forwarded-Host").next();
        String port = new ListFromEnd(fields, "X-Forwarded-Port").next();
        if (client == null && scheme == null && host == null && port == null) {
            return null;
        }
        return new Forwarding(
                client,
                scheme == null ? null : Forwarding.Scheme.read(scheme),
                host == null ? null : Forwarding.host(host),
                port == null ? 0 : ForwardedNode.portNumber(port));
    }

    /**
     * Returns the last address that does not belong to a trusted proxy. If all addresses belong to trusted proxies, returns the first
     * address.
     */
    private static @Nullable ForwardedNode client(ListFromEnd nodes, Predicate<InetAddress> trusted) throws Violation {
        ForwardedNode client = null;
        for (String node = nodes.next(); node != null; node = nodes.next()) {
            client = ForwardedNode.readPlain(node);
            if (!client.isTrusted(trusted)) {
                return client;
            }
        }
        return client;
    }
}
