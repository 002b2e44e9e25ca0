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
 * One persistent connection with blocking I/O: its user waits in it until the response is complete or the deadline has come.
 *
 * <p>Thread: one at a time; {@link #close} any. Owns: the socket.
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
     * Sends a request and waits.
     *
     * @return the status
     * @throws SocketTimeoutException if the response is not complete at the deadline
     */
    int get(Target target, long deadlineNanos) throws IOException {
        reader.reset();
        ByteBuffer request = target.get();
        socket.getOutputStream().write(request.array(), request.arrayOffset(), request.remaining());
        boolean complete = false;
        while (!complete) {
            // The timeout counts from each read, so the remaining time is set before each one.
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

    /** At least 1: for a socket, 0 means no timeout. */
    private static int millisUntil(long deadlineNanos) throws SocketTimeoutException {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
            throw new SocketTimeoutException("The deadline has passed");
        }
        return (int) Math.max(1, Math.min(TimeUnit.NANOSECONDS.toMillis(left), Integer.MAX_VALUE));
    }
}
