package io.penstock.loadtest.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server on the loopback address with a thread for each connection. The test supplies a script that handles the requests. The requests
 * have no bodies.
 */
public final class ScriptedServer implements AutoCloseable {
    public static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    /** Handles the requests of all connections. */
    public interface Script {
        /**
         * Handles one request. The script can write a response to the connection.
         *
         * @param number the number of the request; requests are counted from 1 over all connections
         */
        void onRequest(int number, Socket connection) throws IOException, InterruptedException;
    }

    private final ServerSocket socket = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();
    private final Script script;

    public ScriptedServer(Script script) throws IOException {
        this.script = script;
        start(this::accept);
    }

    public static void answer(Socket connection, String response) throws IOException {
        OutputStream out = connection.getOutputStream();
        out.write(response.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    public String url() {
        return "http://127.0.0.1:" + socket.getLocalPort() + "/";
    }

    public int requests() {
        return requests.get();
    }

    /** Returns the number of accepted connections. */
    public int accepted() {
        return accepted.get();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket connection : connections) {
            connection.close();
        }
    }

    private void accept() throws IOException {
        while (true) {
            Socket connection = socket.accept();
            connection.setTcpNoDelay(true);
            accepted.incrementAndGet();
            connections.add(connection);
            start(() -> serve(connection));
        }
    }

    private void serve(Socket connection) throws IOException, InterruptedException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.isEmpty()) {
                script.onRequest(requests.incrementAndGet(), connection);
            }
        }
    }

    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    private void start(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (SocketException closed) {
                if (!socket.isClosed() && connections.stream().noneMatch(Socket::isClosed)) {
                    throw new UncheckedIOException(closed);
                }
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
