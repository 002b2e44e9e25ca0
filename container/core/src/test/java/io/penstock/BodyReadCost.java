package io.penstock;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;

/** Measures the time per byte of a body that a servlet reads from memory and from disk; see {@code docs/results/by-hand.md}. */
public final class BodyReadCost {
    private static final int IN_MEMORY = 60_000;
    private static final int ON_DISK = 6_000_000;
    private static final int ROUNDS = 9;

    private BodyReadCost() {}

    /**
     * For each read method, prints one line for a body in memory and one line for a body on disk. Each line has the median of nine
     * measurements in nanoseconds per byte, and the lowest and highest values.
     */
    public static void main(String[] arguments) throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .context("/", context -> context.servlet("read", new ReadServlet(), "/*"))
                .start()) {
            HttpClient client = HttpClient.newHttpClient();
            for (String way : new String[] {"read", "readLine"}) {
                double[] memory = new double[ROUNDS];
                double[] disk = new double[ROUNDS];
                for (int round = -3; round < ROUNDS; round++) { // the first three rounds warm up
                    double inMemory = mean(client, server, way, IN_MEMORY, 100);
                    double onDisk = mean(client, server, way, ON_DISK, 1);
                    if (round >= 0) {
                        memory[round] = inMemory;
                        disk[round] = onDisk;
                    }
                }
                print(way, "in memory", memory);
                print(way, "on disk", disk);
            }
        }
    }

    private static double mean(HttpClient client, Penstock server, String way, int length, int times)
            throws IOException, InterruptedException {
        byte[] body = new byte[length];
        for (int i = 0; i < length; i++) {
            body[i] = (byte) (i % 80 == 79 ? '\n' : 'x');
        }
        long nanos = 0;
        for (int i = 0; i < times; i++) {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + "/" + way);
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                    .build();
            nanos += Long.parseLong(
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body());
        }
        return (double) nanos / times / length;
    }

    private static void print(String way, String where, double[] nanos) {
        Arrays.sort(nanos);
        System.out.printf(
                "%-8s %-9s %6.1f ns a byte (%.1f to %.1f)%n",
                way, where, nanos[ROUNDS / 2], nanos[0], nanos[ROUNDS - 1]);
    }

    /** Reads the body, and responds with the duration in nanoseconds. */
    private static final class ReadServlet extends HttpServlet {
        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            ServletInputStream in = request.getInputStream();
            byte[] line = new byte[100];
            long bytes = 0;
            long begun = System.nanoTime();
            if (request.getPathInfo().equals("/read")) {
                while (in.read() >= 0) {
                    bytes++;
                }
            } else {
                for (int n = in.readLine(line, 0, line.length); n >= 0; n = in.readLine(line, 0, line.length)) {
                    bytes += n;
                }
            }
            long nanos = System.nanoTime() - begun;
            if (bytes != request.getContentLength()) {
                throw new IOException(bytes + " bytes of " + request.getContentLength());
            }
            response.getWriter().print(nanos);
        }
    }
}
