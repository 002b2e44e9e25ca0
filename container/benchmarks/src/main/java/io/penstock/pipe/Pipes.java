package io.penstock.pipe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Moves bytes through the pipes, on one thread and without a socket. It measures buffers, copies and uncontended locks only. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Pipes {
    @Param({"13", "16384"})
    int bytes = 13;

    private final SegmentPool pool = new SegmentPool(16 * 1024, 1 << 20);
    private final ResponsePipe responses = new ResponsePipe(pool, 64 * 1024);
    private final RequestPipe requests = new RequestPipe(pool, 64 * 1024, () -> {});
    private final ByteBuffer arriving = ByteBuffer.allocateDirect(16 * 1024);
    private final byte[] application = new byte[16 * 1024];

    /** Fills a segment, puts it into the pipe, and takes it out. */
    @Benchmark
    public boolean response() throws IOException {
        Segment segment = pool.acquireForOutput();
        segment.buffer().put(application, 0, bytes).flip();
        responses.append(segment);
        return responses.drainTo(DiscardingOutlet.INSTANCE, ResponsePipe.NOTHING);
    }

    /** The client's bytes go into the pipe, and the application reads them. */
    @Benchmark
    public int request() throws IOException {
        requests.inlet().offer(arriving.clear().limit(bytes));
        return requests.outlet().read(application, 0, bytes);
    }
}
