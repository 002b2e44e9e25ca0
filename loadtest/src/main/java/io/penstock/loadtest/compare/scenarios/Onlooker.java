package io.penstock.loadtest.compare.scenarios;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;

/** Somebody who looks at a server's admin port while it is measured. */
enum Onlooker {
    /** As Prometheus does, but every second. */
    SCRAPES("/metrics") {
        @Override
        long look(InputStream in, byte[] buffer) throws IOException {
            long bytes = 0;
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                bytes += count;
            }
            return bytes;
        }
    },
    /** As the page of the flow board does: an answer without an end. */
    FOLLOWS("/events") {
        @Override
        long look(InputStream in, byte[] buffer) throws IOException {
            long bytes = 0;
            int count = 0;
            while (count >= 0 && !Thread.currentThread().isInterrupted()) {
                bytes += count;
                count = in.read(buffer);
            }
            return bytes;
        }
    };

    private static final int PATIENCE_MILLIS = 2000;

    private final String path;

    Onlooker(String path) {
        this.path = path;
    }

    /** Reads one answer to its end, or until the thread is interrupted; returns the bytes of it. */
    abstract long look(InputStream in, byte[] buffer) throws IOException;

    /** Asks once. */
    long look(long port, byte[] buffer) throws IOException {
        HttpURLConnection asked = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
        asked.setReadTimeout(PATIENCE_MILLIS); // the board tells twice a second
        try (InputStream in = asked.getInputStream()) {
            return look(in, buffer);
        } finally {
            asked.disconnect();
        }
    }
}
