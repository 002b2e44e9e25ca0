package io.penstock.exchange;

import io.penstock.reactor.WritingLink;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A link for tests that takes a few bytes per write, and records the signals to its reactor. Like a TLS link, it can hold back bytes that
 * it has taken, and can have bytes of its own to send.
 */
final class SlowLink extends WritingLink {
    private static final int MAX = 5;

    private final AtomicInteger signals = new AtomicInteger();
    private final int mostHeld;
    private volatile int taken;
    private volatile int held;
    private volatile int own;
    private int ownSent;

    SlowLink() {
        this(0);
    }

    /** @param mostHeld the maximum number of bytes of a write that the link takes and does not send immediately */
    SlowLink(int mostHeld) {
        this.mostHeld = mostHeld;
    }

    /** The number of bytes that the link has taken and sent. */
    int taken() {
        return taken - held;
    }

    int ownSent() {
        return ownSent;
    }

    /** Gives the link a byte of its own to send. Only the reactor calls this method. */
    void addOwn() {
        own = 1;
    }

    /** Sends one held byte, or the byte of the link itself. Only the holder of the write token calls this method. */
    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate")
    public boolean flush() {
        if (held > 0) {
            held--;
        } else if (own > 0) {
            own = 0;
            ownSent++;
        }
        return isFlushed();
    }

    @Override
    public boolean isFlushed() {
        return held == 0 && own == 0;
    }

    boolean isSignalled() {
        return signals.get() != 0;
    }

    /** Takes a few bytes. Only the holder of the write token calls this method. */
    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate")
    public long write(ByteBuffer[] sources, int offset, int length) {
        if (!isFlushed() && !flush()) {
            return 0;
        }
        int count = 0;
        for (int i = offset; i < offset + length; i++) {
            while (sources[i].hasRemaining() && count < MAX) {
                sources[i].get();
                count++;
            }
        }
        held = Math.min(mostHeld, count);
        taken += count;
        return count;
    }

    /** The output of a link with bytes of its own is ended only by the reactor. */
    @Override
    public boolean endOutput() {
        if (!isFlushed()) {
            throw new IllegalStateException("bytes are not sent");
        }
        return mostHeld == 0;
    }

    @Override
    public void signal(int bit) {
        signals.getAndUpdate(bits -> bits | bit);
    }
}
