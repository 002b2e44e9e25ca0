package io.penstock.loadtest.starve;

import io.penstock.loadtest.load.ScriptedServer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * A server on the loopback address with a limited number of threads. Each connection occupies one thread. If all threads are busy, the
 * server immediately responds to a new connection with 503. So no test needs to wait for a deadline. {@code GET /large} returns 8 MB. The
 * server responds to a POST request after it has received the whole body, and to {@code POST /hasty} with 400 before that. It answers requests
 * below {@code /private} only if they have the field {@code X-Key: 7}, and {@code POST /private/json} only if the body is of the type JSON;
 * the answer is 400, since no body of the tests is JSON.
 *
 * <p>The method {@link #close} closes the server socket and all connections. After that, the threads end.
 */
final class FewThreadsServer implements AutoCloseable {
    private static final int LARGE = 8 << 20;
    private static final String BUSY = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

    private final ServerSocket socket = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Semaphore free;

    FewThreadsServer(int threads) throws IOException {
        free = new Semaphore(threads);
        start(this::accept);
    }

    String url(String path) {
        return "http://127.0.0.1:" + socket.getLocalPort() + path;
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "few-threads");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = socket.accept();
                connections.add(connection);
                if (free.tryAcquire()) {
                    start(() -> serve(connection));
                } else {
                    start(() -> refuse(connection));
                }
            }
        } catch (SocketException closed) {
            // The test has closed the server.
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /**
     * Sends 503, and then reads all bytes of the client. If the server closed the socket with unread bytes, the operating system would
     * reset the connection, and the client could lose the response.
     */
    private void refuse(Socket connection) {
        try (connection) {
            connection.getOutputStream().write(BUSY.getBytes(StandardCharsets.ISO_8859_1));
            connection.shutdownOutput();
            connection.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException gone) {
            // The client has closed its connection.
        } finally {
            connections.remove(connection);
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            for (String head = head(in); !head.isEmpty(); head = head(in)) {
                answer(head, in, connection);
            }
        } catch (IOException gone) {
            // The client has closed its connection.
        } finally {
            connections.remove(connection);
            free.release();
        }
    }

    private static void answer(String head, InputStream in, Socket connection) throws IOException {
        if (head.contains(" /private") && !head.contains("\r\nX-Key: 7\r\n")) {
            respond(connection, "401 Who are you");
            return;
        }
        if (head.startsWith("POST /private/json ") && !head.contains("\r\nContent-Type: application/json\r\n")) {
            respond(connection, "415 Not JSON");
            return;
        }
        if (head.startsWith("POST /hasty ")) {
            respond(connection, "400 Bad");
        }
        if (head.startsWith("POST")) {
            in.skipNBytes(length(head));
        }
        if (head.startsWith("POST /hasty ")) {
            return;
        }
        if (head.startsWith("GET /large ")) {
            String fields = "HTTP/1.1 200 OK\r\nContent-Length: " + LARGE + "\r\n\r\n";
            connection.getOutputStream().write(fields.getBytes(StandardCharsets.ISO_8859_1));
            connection.getOutputStream().write(new byte[LARGE]);
        } else if (head.startsWith("POST /get-only ")) {
            respond(connection, "405 No");
        } else if (head.startsWith("POST /private/json ")) {
            respond(connection, "400 Bad");
        } else {
            connection.getOutputStream().write(ScriptedServer.OK.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private static void respond(Socket connection, String status) throws IOException {
        String head = "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n";
        connection.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static long length(String head) {
        return head.toLowerCase(Locale.ROOT)
                .lines()
                .filter(line -> line.startsWith("content-length:"))
                .mapToLong(line -> Long.parseLong(
                        line.substring("content-length:".length()).strip()))
                .sum();
    }

    /** Reads a request head up to the empty line. Returns an empty text if the client has closed the connection. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket connection : connections) {
            connection.close();
        }
    }
}
