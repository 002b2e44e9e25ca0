package io.penstock.experiments.transactions;

import io.penstock.time.TimerWheel;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One connection to the {@link DelayServer}, and the timer of the next answer on this connection. This object is the attachment of the
 * selection key.
 *
 * <pre>
 *   READING ──> WAITING ──> ANSWERING ──> READING
 *      └───────────┴────────────┴───────> CLOSED
 * </pre>
 *
 * An error on a connection, such as a request for another path, closes only this connection.
 *
 * <p>Thread: the thread of the server. Owns: the channel.
 */
final class DelayedCall extends TimerWheel.Timer {
    private static final int LONGEST_HEAD = 8 << 10;
    private static final Pattern CALL = Pattern.compile("GET /call/([0-9]{1,18}) HTTP/1\\.1\r\n.*", Pattern.DOTALL);

    private enum State {
        READING,
        WAITING,
        ANSWERING,
        CLOSED
    }

    private final DelayServer server;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer head = ByteBuffer.allocate(LONGEST_HEAD);
    private ByteBuffer unsent = ByteBuffer.allocate(0);
    private State state = State.READING;

    private DelayedCall(SocketChannel channel, DelayServer server, Selector selector) throws IOException {
        this.channel = channel;
        this.server = server;
        this.key = channel.register(selector, SelectionKey.OP_READ);
    }

    static void on(SocketChannel channel, DelayServer server, Selector selector) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        DelayedCall call = new DelayedCall(channel, server, selector);
        call.key.attach(call);
    }

    /** Returns the bytes of a complete response with a body of the given length. */
    static byte[] answer(int bodyBytes) {
        String fields = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + bodyBytes + "\r\n\r\n";
        return (fields + "o".repeat(bodyBytes)).getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the path of a call with the given number. */
    static String path(long call) {
        return String.format(Locale.ROOT, "/call/%d", call);
    }

    void onReady() {
        try {
            if (key.isWritable()) {
                send();
            }
            if (key.isValid() && key.isReadable()) {
                read();
            }
        } catch (IOException gone) {
            close(gone);
        }
    }

    /** Sends the answer, which is due now. */
    @Override
    protected void expired() {
        unsent = server.answer();
        state = State.ANSWERING;
        try {
            send();
        } catch (IOException gone) {
            close(gone);
        }
    }

    private void read() throws IOException {
        int n = channel.read(head);
        if (n < 0) {
            throw new EOFException("The client has closed the connection");
        }
        if (state == State.READING) {
            takeHead();
        }
        if (!head.hasRemaining()) {
            throw new ProtocolException("The head is too long, or too many requests are pipelined");
        }
    }

    private void takeHead() throws IOException {
        String text = new String(head.array(), 0, head.position(), StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            return;
        }
        Matcher matcher = CALL.matcher(text.substring(0, end + 2));
        if (!matcher.matches()) {
            throw new ProtocolException("Not a call: " + text.substring(0, end));
        }
        head.flip().position(end + 4);
        head.compact();
        state = State.WAITING;
        server.schedule(this, Long.parseLong(matcher.group(1)));
    }

    private void send() throws IOException {
        channel.write(unsent);
        if (unsent.hasRemaining()) {
            // The socket's send buffer is full. The selector reports when the buffer has room.
            key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            return;
        }
        key.interestOps(SelectionKey.OP_READ);
        if (state == State.ANSWERING) {
            state = State.READING;
            takeHead();
        }
    }

    /** Closes the connection. A client closes its connection when a call reaches its deadline, so this is not an error of the server. */
    private void close(IOException cause) {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        server.forget(this);
        try {
            channel.close();
        } catch (IOException failed) {
            failed.addSuppressed(cause);
            throw new UncheckedIOException(failed);
        }
    }
}
