package io.penstock.http1;

import java.io.IOException;
import java.util.stream.IntStream;

/** A message sent whole, then cut in two: the server has read what is before the cut when the rest is sent. */
final class Cuts {

    /** What a client does once its message is sent: reads the answer, most of all. */
    @FunctionalInterface
    interface Reader {
        void read(RawClient client) throws Exception;
    }

    private Cuts() {}

    /** 0, which is the whole message, and every offset inside it. */
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

    /** Cut at every offset, always by the same client: the connection must go on each time. */
    static void onOneConnection(WireServer server, String message, Reader reader) throws Exception {
        try (RawClient client = server.connect()) {
            for (int cut : everyOffsetOf(message)) {
                one(server, client, message, cut, reader);
            }
        }
    }

    /** Cut at every offset, each time by a new client. */
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
            throw new AssertionError("cut at " + cut + " of " + message.length() + ": " + e.getMessage(), e);
        }
    }
}
