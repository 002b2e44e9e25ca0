package io.penstock.boot;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The log message of a started server. It has the same form as the messages of Boot's other servers.
 *
 * @param contextPath the context path; empty for the root; null for an application without a context path
 */
record StartedMessage(@Nullable String contextPath) {

    /** @param secure the addresses at which clients use TLS */
    String of(List<SocketAddress> addresses, Set<SocketAddress> secure) {
        List<String> texts = new ArrayList<>();
        for (SocketAddress address : addresses) {
            texts.add(text(address) + (secure.contains(address) ? " (https)" : " (http)"));
        }
        String line = "Penstock started on port" + (texts.size() == 1 ? " " : "s ") + String.join(", ", texts);
        return contextPath == null
                ? line
                : line + " with context path '" + (contextPath.isEmpty() ? "/" : contextPath) + "'";
    }

    private static String text(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? Integer.toString(inet.getPort()) : address.toString();
    }
}
