package io.penstock.pipe;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file that stays open as long as it has holders. The holders are the writer of the file, and each {@link FileRegion} of the file in a
 * pipe.
 *
 * <p>Thread: any.
 */
public final class SharedFile {

    /** Supplies the channel of the file. The channel must exist before a region is made. */
    @FunctionalInterface
    public interface Opened {
        FileChannel channel() throws IOException;
    }

    private final Opened opened;
    private final Runnable whenUnused;
    private final AtomicInteger holders = new AtomicInteger(1);

    /**
     * Makes a shared file with the caller as its first holder.
     *
     * @param whenUnused runs after the last holder has released the file, on the thread of that holder. It must not block
     */
    public SharedFile(Opened opened, Runnable whenUnused) {
        this.opened = opened;
        this.whenUnused = whenUnused;
    }

    FileChannel retain() throws IOException {
        FileChannel channel = opened.channel();
        holders.incrementAndGet();
        return channel;
    }

    /** Called by a holder that no longer needs the file. */
    public void release() {
        int left = holders.decrementAndGet();
        assert left >= 0 : "released once too often";
        if (left == 0) {
            whenUnused.run();
        }
    }
}
