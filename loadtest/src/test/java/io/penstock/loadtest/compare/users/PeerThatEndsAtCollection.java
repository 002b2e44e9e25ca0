package io.penstock.loadtest.compare.users;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A server program that sends a response to every request. The load test requests the size of the heap with the line {@code collect}, and
 * then the program ends. The test writes only this class into the jar of the program.
 */
final class PeerThatEndsAtCollection {
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII);

    private PeerThatEndsAtCollection() {}

    public static void main(String[] arguments) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        Thread accepting = new Thread(() -> accept(server));
        accepting.setDaemon(true);
        accepting.start();
        System.out.println("READY " + server.getLocalPort() + " Brittle 1");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = in.readLine();
        while (line != null && !line.equals("collect")) {
            line = in.readLine();
        }
        System.out.println("no memory for that");
    }

    private static void accept(ServerSocket server) {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread serving = new Thread(() -> serve(socket));
                serving.setDaemon(true);
                serving.start();
            }
        } catch (IOException failed) {
            System.out.println("cannot accept: " + failed);
        }
    }

    private static void serve(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty()) {
                    socket.getOutputStream().write(ANSWER);
                }
            }
        } catch (IOException left) {
            System.out.println("a user has left: " + left.getMessage());
        }
    }
}
