package io.penstock.experiments.io.send;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Sends one file over loopback, and measures the time from the first call until the last byte has been received.
 *
 * <p>Thread: the thread of the experiment sends; a separate thread receives.
 */
final class Loopback {
    private final Path file;
    private final long size;
    private final Receiver receiver = new Receiver();

    Loopback(Path file, long size) {
        this.file = file;
        this.size = size;
    }

    /** Sends the file in the given way, and returns the time in milliseconds. */
    double send(SendWay way) throws IOException, InterruptedException {
        try (ServerSocketChannel door = ServerSocketChannel.open()) {
            door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            FutureTask<Void> receipt = new FutureTask<>(() -> {
                try (SocketChannel from = door.accept()) {
                    receiver.receive(from, size);
                }
                return null;
            });
            // If no sender connects, the listening socket is closed, which ends this thread.
            new Thread(receipt, "receiver").start();
            long start = System.nanoTime();
            IOException broken = trySending(way, door);
            await(receipt, broken);
            return (System.nanoTime() - start) / 1e6;
        }
    }

    /**
     * Sends the file. Returns null if everything was sent; otherwise returns the error of the sender. A failure of the receiver can be the
     * cause of this error.
     */
    private @Nullable IOException trySending(SendWay way, ServerSocketChannel door) throws IOException {
        try {
            way.send(file, (InetSocketAddress) door.getLocalAddress());
            return null;
        } catch (IOException e) {
            // The receiver may be waiting for a connection that will not be made. Closing the listening socket wakes
            // it.
            door.close();
            return e;
        }
    }

    private static void await(FutureTask<Void> receipt, @Nullable IOException broken)
            throws IOException, InterruptedException {
        try {
            // Waits until the receiver has received everything, or has failed.
            receipt.get();
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNull(e.getCause());
            if (broken == null || !(cause instanceof ClosedChannelException)) {
                throw new IOException(cause.getMessage(), e);
            }
        }
        if (broken != null) {
            throw broken;
        }
    }

    /** Requests the file from a server, and returns the time in milliseconds. */
    double fetch(URI url) throws IOException {
        int port = url.getPort() < 0 ? 80 : url.getPort();
        String head = "GET " + url.getRawPath() + " HTTP/1.1\r\nHost: " + url.getRawAuthority()
                + "\r\nConnection: close\r\n\r\n";
        ByteBuffer request = ByteBuffer.wrap(head.getBytes(StandardCharsets.ISO_8859_1));
        long start = System.nanoTime();
        try (SocketChannel channel = SocketChannel.open()) {
            channel.connect(new InetSocketAddress(InetAddress.getByName(url.getHost()), port));
            while (request.hasRemaining()) {
                channel.write(request);
            }
            receiver.receiveResponse(channel, size);
        }
        return (System.nanoTime() - start) / 1e6;
    }
}
