package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.Response;
import io.penstock.exchange.ResponseSink;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Compression;
import io.penstock.pipe.Segment;
import io.penstock.request.CompressibleResponse.Choice;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compresses a response on its way to the client, if the head of the response and the client allow compression. The application does not
 * notice the compression: the bytes that it writes are buffered before this sink compresses them. The head is held back until the first
 * bytes are handed over, until a flush, or until the end of the body. If the body ends before any compressed byte has been handed over, the
 * head gets a {@code Content-Length}: the number of compressed bytes.
 *
 * <p>Compressed bytes are sent when they fill a segment (a buffer of the server). A flush sends all bytes that have been written so far.
 *
 * <p>Thread: see {@link ResponseSink}. Owns: a compressor, from the decision to compress until the body has ended or failed, or the
 * response has been aborted.
 */
public final class CompressingSink implements ResponseSink {
    /** The largest number of bytes that are compressed in one step. After each step, full segments are handed over. */
    private static final int SLICE = 64 * 1024;

    private enum Stage {
        /** No byte of the body and no flush has arrived yet. */
        UNDECIDED,
        /** The bytes are sent uncompressed. */
        PLAIN,
        /** The method is HEAD. The head is the same as the head of a compressed response to GET. */
        BODILESS,
        COMPRESSED,
        /** A compressed body has been handed over. */
        ENDED
    }

    /** Which segments are handed over. */
    private enum Segments {
        FULL,
        ALL
    }

    /** Whether the body ends, and how. */
    private enum End {
        /** More bytes follow. */
        NOT_YET,
        /** The body ends with these bytes. */
        HERE,
        /** These are the last bytes. A call of {@code finish} with trailers follows. */
        BEFORE_TRAILERS
    }

    /** One step of the compression, which uses the encoder. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    private final Response sink;
    private final RequestHead request;
    private final CompressibleResponse rules;
    private final Compressors compressors;
    private Stage stage = Stage.UNDECIDED;

    /** The head of the response; null after it has been handed over. */
    private @Nullable ResponseHead head;

    @GuardedBy("this")
    private @Nullable EncoderLease lease;

    @GuardedBy("this")
    private boolean aborted;

    /** Makes the sink for the response of an exchange. The sink compresses the response if the rules and the client allow compression. */
    public static ResponseSink of(Exchange exchange, Compression rules, Compressors compressors) {
        return new CompressingSink(exchange, rules, compressors);
    }

    private CompressingSink(Exchange exchange, Compression rules, Compressors compressors) {
        this.sink = exchange.response();
        this.request = exchange.head();
        this.rules = new CompressibleResponse(exchange, rules);
        this.compressors = compressors;
    }

    // ---- the decision

    @Override
    public void head(ResponseHead newHead) {
        sink.head(newHead);
        head = newHead;
    }

    private Stage decide() {
        return stage == Stage.UNDECIDED ? decide(rules.choose(Objects.requireNonNull(head))) : stage;
    }

    private Stage decide(Choice choice) {
        ResponseHead given = Objects.requireNonNull(head);
        switch (choice) {
            case UNCHANGED -> hand(given, Stage.PLAIN);
            case VARIES -> hand(rules.varying(given), Stage.PLAIN);
            case COMPRESSED -> {
                if (request.method().equals("HEAD")) {
                    hand(rules.compressed(given, -1), Stage.BODILESS);
                } else if (acquire()) {
                    stage = Stage.COMPRESSED;
                } else {
                    hand(rules.varying(given), Stage.PLAIN);
                }
            }
        }
        return stage;
    }

    private void hand(ResponseHead shown, Stage next) {
        stage = next;
        head = null;
        sink.changeHead(shown);
    }

    /** Decides at the end of a response without body bytes: the body is empty, or the method is HEAD. */
    private void decideWithoutBytes() {
        ResponseHead given = Objects.requireNonNull(head);
        Choice choice = rules.choose(given);
        boolean known = request.method().equals("HEAD") && given.contentLength() > 0;
        decide(choice == Choice.COMPRESSED && !known ? Choice.VARIES : choice);
    }

    private boolean acquire() {
        EncoderLease acquired = EncoderLease.of(compressors, sink::segment);
        if (acquired == null) {
            return false;
        }
        boolean late;
        synchronized (this) {
            lease = acquired;
            late = aborted;
        }
        if (late) {
            acquired.close();
        }
        return true;
    }

    private synchronized EncoderLease lease() {
        return Objects.requireNonNull(lease);
    }

    // ---- bytes

    /** Runs one step of the compression. Gives the compressor back if the step throws, and at the end of the body. */
    private void encode(GzipEncoder encoder, Step step, End end) throws IOException {
        EncoderLease used = lease();
        boolean goesOn = false;
        try {
            step.run();
            if (end == End.NOT_YET) {
                goesOn = true;
            } else {
                encoder.finish();
                used.complete();
                handOver(encoder, Segments.ALL, end);
                stage = Stage.ENDED;
            }
        } finally {
            if (!goesOn) {
                used.close();
            }
            used.putBack();
        }
    }

    private void handOver(GzipEncoder encoder, Segments which, End end) throws IOException {
        ResponseHead given = head;
        if (given != null) {
            head = null;
            sink.changeHead(rules.compressed(given, end == End.HERE ? encoder.compressed() : -1));
        }
        for (Segment next = next(encoder, which); next != null; next = next(encoder, which)) {
            boolean more = which == Segments.ALL ? !encoder.isEmpty() : encoder.hasFull();
            if (more) {
                sink.gather(next);
            } else {
                sink.write(next, end == End.HERE);
            }
        }
    }

    private static @Nullable Segment next(GzipEncoder encoder, Segments which) {
        return which == Segments.ALL ? encoder.poll() : encoder.pollFull();
    }

    private static End end(boolean last) {
        return last ? End.HERE : End.NOT_YET;
    }

    @Override
    public void write(Segment segment, boolean last) throws IOException {
        switch (decideFor(segment)) {
            case COMPRESSED -> {
                GzipEncoder encoder = take(segment);
                Step step = () -> {
                    put(segment, encoder);
                    if (!last) {
                        handOver(encoder, Segments.FULL, End.NOT_YET);
                    }
                };
                encode(encoder, step, end(last));
            }
            case BODILESS -> {
                segment.release();
                finishBodiless(last);
            }
            default -> sink.write(segment, last);
        }
    }

    @Override
    public void gather(Segment segment) throws IOException {
        switch (decideFor(segment)) {
            case COMPRESSED -> {
                GzipEncoder encoder = take(segment);
                encode(encoder, () -> put(segment, encoder), End.NOT_YET);
            }
            case BODILESS -> segment.release();
            default -> sink.gather(segment);
        }
    }

    /** If this method throws, it releases the segment. */
    private Stage decideFor(Segment segment) {
        boolean decided = false;
        try {
            Stage now = decide();
            decided = true;
            return now;
        } finally {
            if (!decided) {
                segment.release();
            }
        }
    }

    /** If this method throws, it releases the segment. */
    private GzipEncoder take(Segment segment) throws IOException {
        try {
            return lease().take();
        } catch (IOException e) {
            segment.release();
            throw e;
        }
    }

    private static void put(Segment segment, GzipEncoder encoder) {
        try {
            encoder.put(segment.buffer());
        } finally {
            segment.release();
        }
    }

    /** Ends a response to HEAD. The response has no length, since only the length of the uncompressed body is known. */
    private void finishBodiless(boolean last) throws IOException {
        if (last) {
            sink.finish(Fields.EMPTY);
        }
    }

    @Override
    public void write(ByteBuffer source, boolean last) throws IOException {
        switch (decide()) {
            case COMPRESSED -> {
                GzipEncoder encoder = lease().take();
                encode(encoder, () -> putAll(source, encoder), end(last));
            }
            case BODILESS -> {
                source.position(source.limit());
                finishBodiless(last);
            }
            default -> sink.write(source, last);
        }
    }

    private void putAll(ByteBuffer source, GzipEncoder encoder) throws IOException {
        int end = source.limit();
        try {
            while (source.position() < end) {
                source.limit(Math.min(end, source.position() + SLICE));
                encoder.put(source);
                handOver(encoder, Segments.FULL, End.NOT_YET);
            }
        } finally {
            source.limit(end);
        }
    }

    /**
     * If the file is compressed, the thread that writes the response reads the file. This thread can wait for the client, as in the other
     * write methods.
     */
    @Override
    public void write(FileChannel file, long position, long count, boolean last) throws IOException {
        switch (decideFor(file)) {
            case COMPRESSED -> {
                try (file) {
                    GzipEncoder encoder = lease().take();
                    encode(encoder, () -> putFile(file, position, count, encoder), end(last));
                }
            }
            case BODILESS -> {
                file.close();
                finishBodiless(last);
            }
            default -> sink.write(file, position, count, last);
        }
    }

    /** If this method throws, it closes the file. */
    private Stage decideFor(FileChannel file) throws IOException {
        boolean decided = false;
        try {
            Stage now = decide();
            decided = true;
            return now;
        } finally {
            if (!decided) {
                file.close();
            }
        }
    }

    /**
     * Compresses the file. The first compressed bytes are held back together with the head: if the file is short, the head gets the length
     * of the compressed body.
     */
    private void putFile(FileChannel file, long position, long count, GzipEncoder encoder) throws IOException {
        Segment segment = sink.segment();
        try {
            ByteBuffer buffer = segment.buffer();
            for (long done = 0; done < count; ) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), count - done));
                int read = file.read(buffer, position + done);
                if (read <= 0) {
                    throw new EOFException("file became shorter while it was sent");
                }
                done += read;
                encoder.put(buffer.flip());
                if (head == null || encoder.compressed() > sink.mayHold()) {
                    handOver(encoder, Segments.FULL, End.NOT_YET);
                }
            }
        } finally {
            segment.release();
        }
    }

    @Override
    public void flush() throws IOException {
        if ((head != null || stage != Stage.UNDECIDED) && decide() == Stage.COMPRESSED) {
            GzipEncoder encoder = lease().take();
            Step step = () -> {
                encoder.sync();
                handOver(encoder, Segments.ALL, End.NOT_YET);
            };
            encode(encoder, step, End.NOT_YET);
        }
        sink.flush();
    }

    @Override
    public void finish(Fields trailers) throws IOException {
        if (stage == Stage.UNDECIDED) {
            decideWithoutBytes();
        }
        if (stage == Stage.COMPRESSED) {
            encode(lease().take(), () -> {}, trailers.size() == 0 ? End.HERE : End.BEFORE_TRAILERS);
        }
        // This has no effect if the last write has already ended the body.
        sink.finish(trailers);
    }

    // ---- abort

    @Override
    public void abort(Throwable cause) {
        // The sink is aborted first: the abort wakes a thread that waits for the client in a write.
        sink.abort(cause);
        EncoderLease held;
        synchronized (this) {
            aborted = true;
            held = lease;
        }
        if (held != null) {
            held.close();
        }
    }

    // ---- calls that do not concern the body's bytes

    @Override
    public void informational(int status, Fields fields) throws IOException {
        sink.informational(status, fields);
    }

    @Override
    public Segment segment() {
        return sink.segment();
    }

    @Override
    public int mayHold() {
        return sink.mayHold();
    }

    @Override
    public void nonBlocking() {
        sink.nonBlocking();
    }

    @Override
    public boolean isReady() {
        return sink.isReady();
    }

    @Override
    public void whenReady(Runnable action) {
        sink.whenReady(action);
    }
}
