package io.penstock.request;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import jakarta.servlet.ReadListener;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks the streams of request and response bodies, which read their mode (blocking or non-blocking) without a lock. No accepted byte may
 * stay in a buffer, each listener must be called once, and no read may succeed after the end of the request.
 */
public class BodyStreamsProof {

    /** One thread writes in blocking mode while another thread makes the stream non-blocking. After that the client begins to read. */
    @JCStressTest
    @State
    @Outcome(
            id = {"accepted, sent 5, calls 1", "refused, sent 0, calls 1"},
            expect = ACCEPTABLE,
            desc = "all accepted bytes are sent, or no byte was accepted")
    @Outcome(expect = FORBIDDEN, desc = "bytes remain, or the listener is not called exactly once")
    public static class WriteAgainstWriteListener implements WriteListener {
        private final AtomicInteger calls = new AtomicInteger();
        private final SlowClient client = new SlowClient();
        private final BodyOutputStream stream =
                new BodyOutputStream(new UnbufferedOutput(client, () -> {}), client, new SerialJobs());
        private String written = "";

        @Actor
        public void writer() {
            try {
                stream.write(new byte[5]);
                written = "accepted";
            } catch (IllegalStateException e) {
                written = "refused";
            } catch (IOException e) {
                written = e.toString();
            }
        }

        @Actor
        public void application() {
            stream.setWriteListener(this);
        }

        @Override
        public void onWritePossible() {
            calls.incrementAndGet();
        }

        @Override
        public void onError(Throwable thrown) {
            throw new IllegalStateException(thrown);
        }

        @Arbiter
        public void outcome(L_Result r) {
            client.becomeReady();
            r.r1 = written + ", sent " + client.received() + ", calls " + calls;
        }
    }

    /** The application calls {@code isReady} while the client begins to read. */
    @JCStressTest
    @State
    @Outcome(
            id = {"ready, sent 5, calls 1", "not ready, sent 0, calls 1", "not ready, sent 0, calls 2"},
            expect = ACCEPTABLE,
            desc = "written at once, or the listener is called after isReady returned false")
    @Outcome(expect = FORBIDDEN, desc = "bytes remain, or the listener is not called")
    public static class ReadyAgainstClient implements WriteListener {
        private final AtomicInteger calls = new AtomicInteger();
        private final SlowClient client = new SlowClient();
        private final BodyOutputStream stream =
                new BodyOutputStream(new UnbufferedOutput(client, () -> {}), client, new SerialJobs());
        private String said = "";

        public ReadyAgainstClient() {
            stream.setWriteListener(this);
        }

        @Actor
        public void application() {
            try {
                if (stream.isReady()) {
                    stream.write(new byte[5]);
                    said = "ready";
                } else {
                    said = "not ready";
                }
            } catch (IOException e) {
                said = e.toString();
            }
        }

        @Actor
        public void reactor() {
            client.becomeReady();
        }

        @Override
        public void onWritePossible() {
            calls.incrementAndGet();
        }

        @Override
        public void onError(Throwable thrown) {
            throw new IllegalStateException(thrown);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = said + ", sent " + client.received() + ", calls " + calls;
        }
    }

    /** A thread reads in blocking mode while the request ends. */
    @JCStressTest
    @State
    @Outcome(
            id = {"read, then refused", "refused, then refused"},
            expect = ACCEPTABLE,
            desc = "the read is before the end, or is refused")
    @Outcome(expect = FORBIDDEN, desc = "a read succeeds after the end")
    public static class ReadAgainstEnd {
        private final BodyInputStream stream = new BodyInputStream(new LateBody().arrived(), new SerialJobs());
        private String first = "";

        @Actor
        public void application() {
            first = read(stream);
        }

        @Actor
        public void worker() {
            stream.end();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = first + ", then " + read(stream);
        }
    }

    /** The end of the request body arrives while the request ends. A {@link ReadListener} reads the body. */
    @JCStressTest
    @State
    @Outcome(
            id = {"calls 1, then refused", "calls 0, then refused"},
            expect = ACCEPTABLE,
            desc = "the listener was called for the last byte, or the end came first")
    @Outcome(expect = FORBIDDEN, desc = "two calls, or the end is not seen")
    public static class LastByteAgainstEnd implements ReadListener {
        private final AtomicInteger calls = new AtomicInteger();
        private final LateBody body = new LateBody();
        private final BodyInputStream stream = new BodyInputStream(body, new SerialJobs());

        public LastByteAgainstEnd() {
            stream.setReadListener(this);
        }

        @Actor
        public void reactor() {
            body.arrive();
        }

        @Actor
        public void worker() {
            stream.end();
        }

        @Override
        public void onDataAvailable() {
            throw new IllegalStateException("there was no byte before the last");
        }

        @Override
        public void onAllDataRead() {
            calls.incrementAndGet();
        }

        @Override
        public void onError(Throwable thrown) {
            throw new IllegalStateException(thrown);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = "calls " + calls + ", then " + read(stream);
        }
    }

    private static String read(BodyInputStream stream) {
        try {
            stream.read(new byte[1]);
            return "read";
        } catch (IOException e) {
            return "refused";
        }
    }
}
