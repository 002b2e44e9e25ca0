package io.penstock.pipe;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file that stays open as long as it has holders: its writer, and each of its regions in a pipe.
 *
 * <p>Thread: any.
 */
public final class SharedFile {

    /** Supplies the file's channel, which exists once the file has a region. */
    @FunctionalInterface
    public interface Opened {
        FileChannel channel() throws IOException;
    }

    private final Opened opened;
    private final Runnable whenUnused;
    private final AtomicInteger holders = new AtomicInteger(1);

    /**
     * The caller is the first holder.
     *
     * @param whenUnused runs when the last holder has released the file, on any thread; must not block
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

    /** A holder releases its share. */
    public void release() {
        int left = holders.decrementAndGet();
        assert left >= 0 : "released once too often";
        if (left == 0) {
            whenUnused.run();
        }
    }
}
