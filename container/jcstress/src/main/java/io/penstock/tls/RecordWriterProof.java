package io.penstock.tls;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.events.CloseCause;
import io.penstock.limits.Counters;
import io.penstock.reactor.ConnectionClosed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks a {@link RecordWriter}. The holder of the write token writes bytes. At the same time the reactor gives TLS messages to the engine,
 * ends the output, or closes the connection.
 */
public class RecordWriterProof {

    /** A writer whose socket takes only a few bytes at a time. */
    private abstract static class Sides {
        private final TlsBuffers buffers = new TlsBuffers(1 << 20, new Counters());
        private final SlowSocket socket = new SlowSocket();
        final CopyingEngine engine = new CopyingEngine();
        final RecordWriter out = new RecordWriter(socket, engine, buffers);

        /** Writes a text. Returns the number of bytes that the writer has taken. */
        long write(String text) {
            try {
                return out.write(new ByteBuffer[] {ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1))}, 0, 1);
            } catch (ClosedChannelException | ConnectionClosed e) {
                return 0; // the other thread has closed the writer
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Flushes the writer until all bytes are sent. Returns the bytes that the socket has taken. */
        String end() {
            try {
                for (int i = 0; i < 20 && !out.flush(); i++) {
                    // Each call of flush() sends a few more bytes.
                }
            } catch (ClosedChannelException e) {
                return rest();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return rest();
        }

        private String rest() {
            return socket.taken() + (out.isFlushed() ? "" : " unsent") + (buffers.inUse() == 0 ? "" : " held");
        }
    }

    /** The engine gets a TLS message to send, such as the answer to a key update, while a worker writes. */
    @JCStressTest
    @State
    @Outcome(
            id = {"wabcde", "abcdew"},
            expect = ACCEPTABLE,
            desc = "the message is before or after the written bytes")
    @Outcome(expect = FORBIDDEN, desc = "the message is lost or inside a record, or bytes are lost")
    public static class WordAgainstWriter extends Sides {

        @Actor
        public void worker() {
            write("abcde");
        }

        @Actor
        public void reactor() {
            engine.addWord();
            out.markMessages();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = "abcdee.",
            expect = ACCEPTABLE,
            desc = "all bytes, then the end of TLS, then the end of the socket's output")
    @Outcome(id = "e.", expect = ACCEPTABLE, desc = "the output had ended before the worker wrote")
    @Outcome(expect = FORBIDDEN, desc = "an end is lost, sent twice, or sent before accepted bytes")
    public static class EndAgainstWriter extends Sides {

        @Actor
        public void worker() {
            write("abcde");
        }

        @Actor
        public void reactor() {
            out.endOutput();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = {"e", "abc"},
            expect = ACCEPTABLE,
            desc = "the end of TLS if no bytes waited; no byte follows the close")
    @Outcome(expect = FORBIDDEN, desc = "bytes after the close, or memory is not released")
    public static class CloseAgainstWriter extends Sides {

        @Actor
        public void worker() {
            write("abcde");
        }

        @Actor
        public void reactor() {
            out.sendFinalAlert(new ConnectionClosed(CloseCause.CLIENT_CLOSED));
            out.release();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }
}
