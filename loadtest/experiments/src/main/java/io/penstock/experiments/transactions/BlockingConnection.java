package io.penstock.experiments.transactions;

import io.penstock.loadtest.client.ResponseReader;
import io.penstock.loadtest.client.Target;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * One persistent connection with blocking I/O. The calling thread waits until the response is complete or the deadline has passed.
 *
 * <p>Thread: one thread at a time; any thread for {@link #close}. Owns: the socket.
 */
final class BlockingConnection implements AutoCloseable {
    private final Socket socket = new Socket();
    private final ResponseReader reader = new ResponseReader();
    private final byte[] buffer = new byte[8 << 10];

    void connect(InetSocketAddress to, long deadlineNanos) throws IOException {
        socket.setTcpNoDelay(true);
        socket.connect(to, millisUntil(deadlineNanos));
    }

    /**
     * Sends a request, and waits for the response.
     *
     * @return the status of the response
     * @throws SocketTimeoutException if the response is not complete at the deadline
     */
    int get(Target target, long deadlineNanos) throws IOException {
        reader.reset();
        ByteBuffer request = target.get();
        socket.getOutputStream().write(request.array(), request.arrayOffset(), request.remaining());
        boolean complete = false;
        while (!complete) {
            // The timeout of a socket applies to each read separately, so the remaining time is set before each read.
            socket.setSoTimeout(millisUntil(deadlineNanos));
            int n = socket.getInputStream().read(buffer);
            if (n < 0) {
                throw new EOFException("The server has closed the connection");
            }
            complete = reader.read(ByteBuffer.wrap(buffer, 0, n));
        }
        return reader.status();
    }

    boolean isPersistent() {
        return reader.isPersistent();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** Returns the remaining time, at least 1 ms, since 0 means "no timeout" for a socket. */
    private static int millisUntil(long deadlineNanos) throws SocketTimeoutException {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
            throw new SocketTimeoutException("The deadline has passed");
        }
        return (int) Math.max(1, Math.min(TimeUnit.NANOSECONDS.toMillis(left), Integer.MAX_VALUE));
    }
}
