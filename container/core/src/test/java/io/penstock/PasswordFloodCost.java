package io.penstock;

import io.penstock.realm.Passwords;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Measures the latency of clients while many other clients send invented passwords. See {@code docs/security.md}. */
public final class PasswordFloodCost {
    private static final int MEASURED_CLIENTS = 8;
    private static final int BACKGROUND_CLIENTS = 95;
    private static final Duration MEASURED_PAUSE = Duration.ofMillis(10);
    private static final Duration BACKGROUND_PAUSE = Duration.ofMillis(100);
    private static final Duration RUN_TIME = Duration.ofSeconds(10);
    private static final int RUNS = 5;

    private PasswordFloodCost() {}

    /** The requests of the background clients during a measurement. */
    private enum Background {
        NOBODY("alone"),
        REQUESTS("beside requests without a password"),
        PASSWORDS("beside made-up passwords");

        private final String shown;

        Background(String shown) {
            this.shown = shown;
        }
    }

    /**
     * For each kind of background requests, prints two figures of the measured clients: p99 of the response times, and requests per second.
     * For each figure, the line has the median of five runs, the lowest value and the highest value.
     *
     * @param arguments the value of {@code password-checks}, or nothing for the default
     */
    public static void main(String[] arguments) throws Exception {
        Passwords passwords = new Passwords();
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("login-failures-user", "0")
                .set("login-failures-address", "0")
                .realm((name, password) -> {
                    passwords.matches(password, null); // the user does not exist
                    return null;
                })
                .context("/", context -> context.servlet("free", new WhoServlet(), "/free")
                        .servlet("staff", new WhoServlet(), "/staff")
                        .constrain("/staff", "staff")
                        .basicLogin("office"));
        if (arguments.length > 0) {
            builder.set("password-checks", arguments[0]);
        }
        try (Penstock server = builder.start()) {
            run(server, Background.NOBODY); // warm-up
            double[][] p99 = new double[Background.values().length][RUNS];
            double[][] rates = new double[Background.values().length][RUNS];
            for (int round = 0; round < RUNS; round++) {
                for (Background beside : Background.values()) {
                    long[] nanos = run(server, beside);
                    p99[beside.ordinal()][round] =
                            nanos.length == 0 ? Double.NaN : nanos[nanos.length * 99 / 100] / 1e6;
                    rates[beside.ordinal()][round] = (double) nanos.length / RUN_TIME.toSeconds();
                }
            }
            for (Background beside : Background.values()) {
                print(beside, p99[beside.ordinal()], rates[beside.ordinal()]);
            }
        }
    }

    private static void print(Background beside, double[] p99, double[] rates) {
        Arrays.sort(p99);
        Arrays.sort(rates);
        System.out.printf(
                "%-36s p99 %6.1f ms (%.1f to %.1f), %.0f requests a second (%.0f to %.0f)%n",
                beside.shown, p99[RUNS / 2], p99[0], p99[RUNS - 1], rates[RUNS / 2], rates[0], rates[RUNS - 1]);
    }

    /** Returns the sorted response times of the measured clients, in nanoseconds. */
    private static long[] run(Penstock server, Background beside) throws Exception {
        long end = System.nanoTime() + RUN_TIME.toNanos();
        ExecutorService clients = Executors.newCachedThreadPool();
        try {
            List<Future<List<Long>>> others = new ArrayList<>();
            for (int i = 0; i < MEASURED_CLIENTS; i++) {
                others.add(clients.submit(() -> sendRequests(server, "/free", false, MEASURED_PAUSE, end)));
            }
            List<Future<List<Long>>> crowd = new ArrayList<>();
            for (int i = 0; beside != Background.NOBODY && i < BACKGROUND_CLIENTS; i++) {
                crowd.add(clients.submit(
                        () -> sendRequests(server, "/staff", beside == Background.PASSWORDS, BACKGROUND_PAUSE, end)));
            }
            List<Long> times = new ArrayList<>();
            for (Future<List<Long>> one : others) {
                times.addAll(one.get());
            }
            for (Future<List<Long>> one : crowd) {
                one.get();
            }
            return times.stream().mapToLong(Long::longValue).sorted().toArray();
        } finally {
            clients.shutdown();
        }
    }

    /** Sends requests over one connection until the time {@code end}. Returns the response times in nanoseconds. */
    private static List<Long> sendRequests(Penstock server, String path, boolean guessing, Duration pause, long end)
            throws IOException {
        List<Long> times = new ArrayList<>();
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setTcpNoDelay(true);
            while (System.nanoTime() - end < 0) {
                String request =
                        "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + (guessing ? madeUpPassword() : "") + "\r\n";
                long begun = System.nanoTime();
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                readResponse(socket.getInputStream());
                times.add(System.nanoTime() - begun);
                LockSupport.parkNanos(pause.toNanos());
            }
        }
        return times;
    }

    private static String madeUpPassword() {
        String pair = "user:" + Long.toHexString(ThreadLocalRandom.current().nextLong());
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII))
                + "\r\n";
    }

    /** Reads a response with the field {@code Content-Length}. */
    private static void readResponse(InputStream in) throws IOException {
        byte[] buffer = new byte[8192];
        int count = 0;
        int whole = Integer.MAX_VALUE;
        while (count < whole) {
            int read = in.read(buffer, count, buffer.length - count);
            if (read < 0) {
                throw new EOFException("a response is incomplete");
            }
            count += read;
            String text = new String(buffer, 0, count, StandardCharsets.ISO_8859_1);
            int head = text.indexOf("\r\n\r\n");
            if (head >= 0 && whole == Integer.MAX_VALUE) {
                whole = head + 4 + length(text.substring(0, head));
            }
        }
    }

    private static int length(String head) {
        return head.lines()
                .filter(line -> line.startsWith("Content-Length: "))
                .mapToInt(line -> Integer.parseInt(line.substring(16)))
                .findFirst()
                .orElseThrow();
    }
}
