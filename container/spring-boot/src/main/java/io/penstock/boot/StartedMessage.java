package io.penstock.boot;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The line in the log when a server listens, in the words of Boot's other servers.
 *
 * @param listeners the value of {@code listen}, or null
 * @param secure whether a listener that is not named there speaks TLS
 * @param contextPath empty for the root; null for an application without one
 */
record StartedMessage(
        @Nullable String listeners,
        boolean secure,
        @Nullable String contextPath) {

    String of(List<SocketAddress> addresses) {
        String[] urls = listeners == null ? new String[0] : listeners.split(",", -1);
        List<String> places = new ArrayList<>();
        for (int i = 0; i < addresses.size(); i++) {
            String scheme = i < urls.length ? scheme(urls[i].strip()) : secure ? "https" : "http";
            places.add(place(addresses.get(i)) + " (" + scheme + ")");
        }
        String line = "Penstock started on port" + (places.size() == 1 ? " " : "s ") + String.join(", ", places);
        return contextPath == null
                ? line
                : line + " with context path '" + (contextPath.isEmpty() ? "/" : contextPath) + "'";
    }

    private static String place(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? Integer.toString(inet.getPort()) : address.toString();
    }

    private static String scheme(String url) {
        return url.startsWith("https:") ? "https" : "http";
    }
}
