package io.penstock.http1;

import java.io.IOException;
import java.util.stream.IntStream;

/**
 * Sends a message once in one piece, and once in two pieces for each offset. The server has read the first piece before the second piece is
 * sent.
 */
final class Cuts {

    /** The action of a client after the message is sent. Usually, the client reads the response. */
    @FunctionalInterface
    interface Reader {
        void read(RawClient client) throws Exception;
    }

    private Cuts() {}

    /** Returns 0 and every offset inside the message. The offset 0 means that the message is sent in one piece. */
    static int[] everyOffsetOf(String message) {
        return IntStream.range(0, message.length()).toArray();
    }

    static void send(WireServer server, RawClient client, String message, int cut) throws IOException {
        if (cut > 0) {
            client.send(message.substring(0, cut));
            server.settle();
        }
        client.send(message.substring(cut));
    }

    /** Sends the message once for each offset, always on the same connection. The connection must stay open. */
    static void onOneConnection(WireServer server, String message, Reader reader) throws Exception {
        try (RawClient client = server.connect()) {
            for (int cut : everyOffsetOf(message)) {
                one(server, client, message, cut, reader);
            }
        }
    }

    /** Sends the message once for each offset, each time on a new connection. */
    static void onNewConnections(WireServer server, String message, Reader reader) throws Exception {
        onNewConnections(server, message, everyOffsetOf(message), reader);
    }

    static void onNewConnections(WireServer server, String message, int[] cuts, Reader reader) throws Exception {
        for (int cut : cuts) {
            try (RawClient client = server.connect()) {
                one(server, client, message, cut, reader);
            }
        }
    }

    private static void one(WireServer server, RawClient client, String message, int cut, Reader reader)
            throws Exception {
        try {
            send(server, client, message, cut);
            reader.read(client);
        } catch (AssertionError | IOException e) {
            throw new AssertionError("cut at byte " + cut + " of " + message.length() + ": " + e.getMessage(), e);
        }
    }
}
