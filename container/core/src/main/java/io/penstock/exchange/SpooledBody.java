package io.penstock.exchange;

import io.penstock.http.Fields;
import io.penstock.pipe.SegmentPool;
import io.penstock.spool.SpoolFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * A request body that is completely on disk. So reads never wait for the client. The file is closed with its exchange.
 *
 * <p>Thread: one reader at a time; {@link #dropBuffer} and {@link #close} any.
 */
public final class SpooledBody implements RequestBody {
    private final SpoolFile file;
    private final long length;
    private final Supplier<Fields> trailers;
    private final ReadAhead ahead;

    // The position of the next byte for the reader. This byte may have been read ahead.
    private long position;

    /**
     * @param length declared length in bytes, or -1
     * @param trailers called only after the end of the body
     * @param pool supplies the buffer for small reads
     */
    public SpooledBody(SpoolFile file, long length, Supplier<Fields> trailers, SegmentPool pool) {
        this.file = file;
        this.length = length;
        this.trailers = trailers;
        this.ahead = new ReadAhead(file::read, pool);
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (!target.hasRemaining()) {
            return 0;
        }
        int count = ahead.read(target, position);
        position += Math.max(0, count);
        return count;
    }

    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, file.length() - position);
    }

    @Override
    public boolean isFinished() {
        return position == file.length();
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void whenReady(Runnable action) {
        action.run();
    }

    @Override
    public Fields trailers() {
        return isFinished() ? trailers.get() : Fields.EMPTY;
    }

    @Override
    public SpoolFile file() {
        return file;
    }

    @Override
    public void dropBuffer() {
        ahead.drop();
    }

    /** The body will not be read any more. The file's owner closes the file. Idempotent. */
    public void close() {
        ahead.close();
    }
}
