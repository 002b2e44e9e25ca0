package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Wire;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection of HTTP/2 whose streams are slow clients. The streams begin when the server has sent its settings. A stream that the server
 * ends is replaced after a second, like a connection of HTTP/1.1.
 *
 * <p>Thread: the thread of the {@link ClientLoop}.
 */
final class StreamsMember extends Member {
    private static final int USUAL_WINDOW = 65_535;
    private static final int CANCEL = 8;

    private enum Server {
        UNKNOWN,
        SERVES,
        /** The server accepts no more streams. */
        LEAVES
    }

    private final ByteBuffer frame = ByteBuffer.allocate(Frames.HEAD + Frames.LARGEST);
    private final Map<Integer, Stream> streams = new HashMap<>();
    private Server server = Server.UNKNOWN;
    private int nextId = 1;
    private long window = USUAL_WINDOW;
    private int windowOfStreams = USUAL_WINDOW;

    private static final class Stream {
        private final int id;
        private long window;
        private int unsent;
        private int status;

        Stream(int id, int window) {
            this.id = id;
            this.window = window;
        }
    }

    StreamsMember(Crowd crowd, CrowdPlan.Group group) {
        super(crowd, group);
    }

    private boolean uploads() {
        return group().client() == SlowClient.H2_UPLOAD;
    }

    @Override
    Wire open(ClientLoop loop) throws CallException {
        return loop.openHttp2(manner().target().address(), this);
    }

    @Override
    int clients() {
        return streams.size();
    }

    @Override
    public void onOpen(Wire wire) {
        wire.send(Frames.preface(uploads() ? USUAL_WINDOW : manner().read()));
    }

    @Override
    public void onBytes(Wire wire, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            int length = Math.min(bytes.remaining(), frameLength() - frame.position());
            frame.put(bytes.slice().limit(length));
            bytes.position(bytes.position() + length);
            if (frame.position() == frameLength()) {
                frame.flip();
                int type = frame.getInt() & 0xff;
                onFrame(wire, type, frame.get(), frame.getInt(), frame);
                frame.clear();
            }
        }
    }

    private int frameLength() throws ProtocolException {
        if (frame.position() < Frames.HEAD) {
            return Frames.HEAD;
        }
        int length = frame.getInt(0) >>> 8;
        boolean begun = server != Server.UNKNOWN || (frame.getInt(0) & 0xff) == Frames.SETTINGS;
        if (!begun || length > Frames.LARGEST) {
            throw new ProtocolException("The server does not speak HTTP/2");
        }
        return Frames.HEAD + length;
    }

    private void onFrame(Wire wire, int type, int flags, int id, ByteBuffer payload) throws ProtocolException {
        @Nullable Stream stream = streams.get(id);
        boolean answers = (flags & Frames.ACK) != 0;
        switch (type) {
            case Frames.SETTINGS -> {
                if (!answers) {
                    onSettings(wire, payload);
                }
            }
            case Frames.PING -> {
                if (!answers) {
                    wire.send(Frames.frame(Frames.PING, Frames.ACK, 0, rest(payload)));
                }
            }
            case Frames.DATA -> {
                if (payload.hasRemaining()) {
                    // Only the windows of streams stay closed.
                    wire.send(Frames.number(Frames.WINDOW_UPDATE, 0, payload.remaining()));
                }
            }
            case Frames.HEADERS -> {
                int before = ((flags & Frames.PADDED) == 0 ? 0 : 1) + ((flags & Frames.PRIORITY) == 0 ? 0 : 5);
                if (stream != null && stream.status < 200) {
                    stream.status = Frames.status(payload.position(payload.position() + before));
                }
            }
            case Frames.WINDOW_UPDATE -> {
                if (stream != null) {
                    stream.window += payload.getInt();
                } else if (id == 0) {
                    window += payload.getInt();
                }
            }
            case Frames.RST_STREAM -> {
                if (stream != null) {
                    end(wire, stream, "The server has reset a stream: " + Frames.error(payload.getInt()));
                }
            }
            case Frames.GOAWAY -> {
                int code = payload.getInt(payload.position() + Integer.BYTES);
                if (code != 0) {
                    throw new ProtocolException("The server has ended the connection: " + Frames.error(code));
                }
                server = Server.LEAVES;
            }
            default -> {
                // The client needs nothing else, not even the rest of a long head.
            }
        }
        boolean complete = type == Frames.DATA || type == Frames.HEADERS;
        if (stream != null && complete && (flags & Frames.END_STREAM) != 0) {
            onAnswer(wire, stream);
        }
    }

    private static byte[] rest(ByteBuffer payload) {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        return bytes;
    }

    private void onSettings(Wire wire, ByteBuffer payload) {
        int most = manner().streams();
        while (payload.hasRemaining()) {
            int name = payload.getShort();
            int value = payload.getInt();
            if (name == Frames.INITIAL_WINDOW_SIZE) {
                int more = value - windowOfStreams;
                streams.values().forEach(stream -> stream.window += more);
                windowOfStreams = value;
            } else if (name == Frames.MAX_CONCURRENT_STREAMS && value >= 0) {
                // A larger number than an int can have would be negative here.
                most = Math.min(most, value);
            }
        }
        wire.send(Frames.frame(Frames.SETTINGS, Frames.ACK, 0));
        if (server == Server.UNKNOWN) {
            server = Server.SERVES;
            while (streams.size() < most) {
                begin(wire);
            }
            stand();
        }
    }

    private void begin(Wire wire) {
        Stream stream = new Stream(nextId, windowOfStreams);
        nextId += 2;
        streams.put(stream.id, stream);
        int length = uploads() ? manner().length() : -1;
        wire.send(Frames.request(stream.id, manner().target(), wire.isEncrypted(), length));
        if (uploads()) {
            stream.unsent = length;
            drop(wire, stream);
        }
    }

    /** Sends the next piece of a body, if the server has room for it. */
    private void drop(Wire wire, Stream stream) {
        if (wire.isClosed() || !streams.containsKey(stream.id)) {
            return;
        }
        int length = Math.min(stream.unsent, Math.min(manner().drop(), Frames.LARGEST));
        if (length <= Math.min(window, stream.window)) {
            window -= length;
            stream.window -= length;
            stream.unsent -= length;
            byte[] spaces = new byte[length];
            Arrays.fill(spaces, (byte) ' ');
            wire.send(Frames.frame(Frames.DATA, stream.unsent == 0 ? Frames.END_STREAM : 0, stream.id, spaces));
        }
        if (stream.unsent > 0) {
            crowd().loop().after(manner().pauseMillis(), () -> drop(wire, stream));
        }
    }

    private void onAnswer(Wire wire, Stream stream) {
        crowd().onAnswer(stream.status);
        if (stream.unsent > 0) {
            wire.send(Frames.number(Frames.RST_STREAM, stream.id, CANCEL));
        }
        if (stream.unsent == 0 && stream.status < 400 && server == Server.SERVES) {
            streams.remove(stream.id);
            begin(wire);
        } else {
            end(wire, stream, "The server has answered a stream with " + stream.status);
        }
    }

    private void end(Wire wire, Stream stream, String cause) {
        streams.remove(stream.id);
        crowd().onStreamGone(cause);
        crowd().loop().after(Crowd.MILLIS_BEFORE_COMING_BACK, () -> {
            if (!wire.isClosed() && server == Server.SERVES) {
                begin(wire);
                crowd().count(1);
            }
        });
    }
}
