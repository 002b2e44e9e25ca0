package io.penstock.http1;

import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.ResponseHead;
import io.penstock.http.Version;
import io.penstock.pipe.DiscardingOutlet;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.SegmentPool;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Encodes a response's head, puts it into the pipe, and takes it out again. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeadEncoding {
    /** The response headers that applications typically set. */
    public enum Application {
        HELLO(new FieldList().add("Content-Type", "text/plain")),
        PAGE(new FieldList()
                .add("Content-Type", "text/html;charset=UTF-8")
                .add("Cache-Control", "no-cache, no-store, max-age=0, must-revalidate")
                .add("Pragma", "no-cache")
                .add("Expires", "0")
                .add("X-Content-Type-Options", "nosniff")
                .add("X-Frame-Options", "DENY")
                .add("Set-Cookie", "JSESSIONID=0123456789abcdef0123456789abcdef; Path=/; HttpOnly"));

        private final FieldList fields;

        Application(FieldList fields) {
            this.fields = fields;
        }
    }

    /** JMH measures each of them unless the command line names some. */
    @Param
    Application application = Application.HELLO;

    private final SegmentPool pool = new SegmentPool(16 * 1024, 1 << 20);
    private final ResponsePipe pipe = new ResponsePipe(pool, 64 * 1024);
    private final HeadWriter writer = new HeadWriter(pool);
    private final RequestHead request =
            new RequestHead("GET", RequestTarget.origin("/hello"), Version.HTTP_1_1, Fields.EMPTY);
    private ResponseHead head = new ResponseHead(200, Fields.EMPTY, 13);

    @Setup
    public void answer() {
        head = new ResponseHead(200, application.fields, 13);
    }

    @Benchmark
    public long encode() throws IOException {
        long begins = writer.send(pipe, request, head, null, Http1Response.Framing.LENGTH, 13, true);
        pipe.drainTo(DiscardingOutlet.INSTANCE, ResponsePipe.NOTHING);
        return begins;
    }
}
