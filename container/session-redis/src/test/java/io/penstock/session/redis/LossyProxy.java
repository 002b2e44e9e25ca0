package io.penstock.session.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between a session store and Redis. The test can make the proxy close a connection instead of forwarding a reply. The test can
 * also make the proxy delay a request.
 *
 * <p>The proxy owns its sockets and threads until it is closed.
 */
final class LossyProxy implements AutoCloseable {
    private final int target;
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> open = new ArrayList<>();
    private final AtomicBoolean lose = new AtomicBoolean();
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicInteger requestToDelay = new AtomicInteger();
    private final AtomicInteger repliesToDelayed = new AtomicInteger();
    private volatile CountDownLatch release = new CountDownLatch(0);

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

    /** Delays the request with this number, and all later requests on its connection. The next request has the number 1. */
    void delayRequest(int number) {
        release = new CountDownLatch(1);
        requestToDelay.set(number);
    }

    /** Forwards the delayed requests. */
    void release() {
        release.countDown();
    }

    /** Returns the number of replies of Redis to delayed requests. */
    int repliesToDelayed() {
        return repliesToDelayed.get();
    }

    private interface Job {
        void run() throws IOException;
    }

    private static void thread(Job job) {
        Thread thread = new Thread(() -> {
            try {
                job.run();
            } catch (IOException e) {
                // A socket was closed, so this thread ends.
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
            AtomicBoolean connectionDelayed = new AtomicBoolean();
            thread(() -> requests(client, redis, connectionDelayed));
            thread(() -> replies(redis, client, connectionDelayed));
        }
    }

    private void requests(Socket client, Socket redis, AtomicBoolean connectionDelayed) throws IOException {
        InputStream in = client.getInputStream();
        OutputStream out = redis.getOutputStream();
        byte[] buffer = new byte[64 * 1024];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            if (buffer[0] == '*' && requestToDelay.getAndUpdate(left -> Math.max(0, left - 1)) == 1) {
                connectionDelayed.set(true);
                await(release);
            }
            out.write(buffer, 0, read);
        }
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private void replies(Socket redis, Socket client, AtomicBoolean connectionDelayed) throws IOException {
        InputStream in = redis.getInputStream();
        OutputStream out = client.getOutputStream();
        byte[] buffer = new byte[64 * 1024];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            if (connectionDelayed.get()) {
                repliesToDelayed.incrementAndGet();
            }
            // An error reply, such as NOSCRIPT, is forwarded, because the script has changed nothing.
            if (buffer[0] != '-' && lose.compareAndSet(true, false)) {
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
