package io.penstock.experiments.io.packets;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The JMH benchmark of one exchange over a persistent connection: it writes a head and a body, and reads the answer. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PacketsBenchmark {
    @Param("GATHERED")
    PacketsWay way = PacketsWay.GATHERED;

    @Param("200")
    int head;

    @Param("1000")
    int body;

    private ByteBuffer headBytes = ByteBuffer.allocate(0);
    private ByteBuffer bodyBytes = ByteBuffer.allocate(0);
    private final ByteBuffer answer = ByteBuffer.allocateDirect(AnsweringPeer.ANSWER);
    private @Nullable AnsweringPeer peer;
    private @Nullable SocketChannel channel;

    @Setup
    public void connect() throws IOException {
        headBytes = ByteBuffer.allocateDirect(head);
        bodyBytes = ByteBuffer.allocateDirect(body);
        AnsweringPeer started = AnsweringPeer.start(head + body);
        peer = started;
        SocketChannel connected = SocketChannel.open(started.address());
        channel = connected;
        way.prepare(connected);
    }

    @Benchmark
    public void exchange() throws IOException {
        SocketChannel connection = Objects.requireNonNull(channel);
        way.write(connection, headBytes.clear(), bodyBytes.clear());
        answer.clear();
        while (answer.hasRemaining()) {
            if (connection.read(answer) < 0) {
                throw new EOFException("the peer closed the connection");
            }
        }
    }

    @TearDown
    public void close() throws IOException, InterruptedException {
        Objects.requireNonNull(channel).close();
        Objects.requireNonNull(peer).stop();
    }
}
