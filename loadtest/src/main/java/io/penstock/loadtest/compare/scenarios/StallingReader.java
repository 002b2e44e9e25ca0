package io.penstock.loadtest.compare.scenarios;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The other end of a named pipe into which a log is written: a disk that can be made to take nothing for a while, for a pipe that nobody
 * reads holds 64 KB, and then whoever writes waits.
 *
 * <p>Thread: one of its own reads; the methods are for the one that measures. Owns: its end of the pipe.
 *
 * <pre>
 *   READS --stall--> STALLS --goOn--> READS        any --close--> over
 * </pre>
 */
final class StallingReader implements AutoCloseable {
    private static final int AT_ONCE = 64 << 10;
    private static final byte LINE_END = '\n';

    private final FileChannel pipe;
    private final Thread thread = new Thread(this::read, "log reader");

    @GuardedBy("this")
    private State state = State.READS;

    @GuardedBy("this")
    private long lines;

    private enum State {
        READS,
        STALLS
    }

    private StallingReader(FileChannel pipe) {
        this.pipe = pipe;
    }

    /** Makes a pipe of that name, which nothing may have. */
    static void make(Path name) throws IOException, InterruptedException {
        Process made = new ProcessBuilder("mkfifo", name.toString()).start();
        if (made.waitFor() != 0) {
            throw new IOException("mkfifo could not make " + name);
        }
    }

    /** Begins to read, whether or not somebody writes. */
    static StallingReader of(Path name) throws IOException {
        if (!Files.exists(name)) {
            throw new IOException("There is no pipe " + name);
        }
        // Opened for writing, too, it waits for nobody, and has no end when a server has.
        FileChannel pipe = FileChannel.open(name, StandardOpenOption.READ, StandardOpenOption.WRITE);
        StallingReader reader = new StallingReader(pipe);
        reader.thread.setDaemon(true);
        reader.thread.start();
        return reader;
    }

    synchronized void stall() {
        state = State.STALLS;
    }

    synchronized void goOn() {
        state = State.READS;
        notifyAll(); // the reader
    }

    /** How many have come. */
    synchronized long lines() {
        return lines;
    }

    @Override
    public void close() throws IOException {
        pipe.close(); // ends a read that waits
        goOn();
    }

    private void read() {
        ByteBuffer buffer = ByteBuffer.allocate(AT_ONCE);
        try {
            while (pipe.isOpen()) {
                awaitReading();
                buffer.clear();
                pipe.read(buffer);
                count(buffer.flip());
            }
        } catch (ClosedChannelException over) {
            return;
        } catch (IOException | InterruptedException broken) {
            throw new IllegalStateException("The log cannot be read", broken);
        }
    }

    private synchronized void awaitReading() throws InterruptedException {
        while (state == State.STALLS) {
            wait(); // for goOn
        }
    }

    private void count(ByteBuffer bytes) {
        long ends = 0;
        while (bytes.hasRemaining()) {
            ends += bytes.get() == LINE_END ? 1 : 0;
        }
        synchronized (this) {
            lines += ends;
        }
    }
}
