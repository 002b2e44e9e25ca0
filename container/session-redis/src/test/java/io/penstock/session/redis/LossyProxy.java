package io.penstock.session.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Passes bytes to Redis and back, and closes a connection instead of its reply when told to.
 *
 * <p>Owns: its sockets and threads, until closed.
 */
final class LossyProxy implements AutoCloseable {
    private final int target;
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> open = new ArrayList<>();
    private final AtomicBoolean lose = new AtomicBoolean();
    private final AtomicInteger lost = new AtomicInteger();

    LossyProxy(int target) throws IOException {
        this.target = target;
        thread(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    void loseNextReply() {
        lose.set(true);
    }

    int lost() {
        return lost.get();
    }

    private interface Job {
        void run() throws IOException;
    }

    private static void thread(Job job) {
        Thread thread = new Thread(() -> {
            try {
                job.run();
            } catch (IOException e) {
                // the end of a socket, which is how this thread ends
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            Socket redis = new Socket(InetAddress.getLoopbackAddress(), target);
            synchronized (open) {
                open.add(client);
                open.add(redis);
            }
            thread(() -> client.getInputStream().transferTo(redis.getOutputStream()));
            thread(() -> replies(redis, client));
        }
    }

    private void replies(Socket redis, Socket client) throws IOException {
        InputStream in = redis.getInputStream();
        OutputStream out = client.getOutputStream();
        byte[] buffer = new byte[64 * 1024];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            if (buffer[0] != '-'
                    && lose.compareAndSet(true, false)) { // an error, such as NOSCRIPT, has changed nothing
                lost.incrementAndGet();
                client.close();
                redis.close();
                return;
            }
            out.write(buffer, 0, read);
        }
        client.close();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        synchronized (open) {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }
}
