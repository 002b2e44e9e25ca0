package io.penstock.exchange;

import io.penstock.http.Fields;
import io.penstock.pipe.SegmentPool;
import io.penstock.spool.SpoolFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * A request body that is completely on disk, so that reads never wait for the client. The file is closed when the exchange is over.
 *
 * <p>Thread: one reading thread at a time. {@link #dropBuffer} and {@link #close}: any.
 */
public final class SpooledBody implements RequestBody {
    private final SpoolFile file;
    private final long length;
    private final Supplier<Fields> trailers;
    private final ReadAhead ahead;

    // The position in the file of the next byte to return. This byte can already be in the buffer of `ahead`.
    private long position;

    /**
     * @param length the declared length in bytes; -1 if no length is declared
     * @param trailers supplies the trailer fields; called only after the end of the body
     * @param pool the pool for the buffer of small reads
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

    /** Releases the buffer, since the body will not be read any more. This method does not close the file. Idempotent. */
    public void close() {
        ahead.close();
    }
}
