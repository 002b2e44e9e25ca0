package io.penstock.standalone;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Ends a process whose heap is full, so that its service manager can start it again. This class writes one line to the error stream and
 * ends the process without shutdown hooks, because hooks need memory. All necessary objects are created in advance. Some memory is reserved
 * for the JDK.
 *
 * <p>Thread: any.
 */
final class OutOfMemory implements Runnable {
    private static final int RESERVE = 256 << 10;

    private final byte[] line = ("penstock: out of memory, and the heap stays full; the process ends with exit code "
                    + ExitCode.OUT_OF_MEMORY.number() + ". A larger heap: -Xmx" + System.lineSeparator())
            .getBytes(StandardCharsets.US_ASCII);
    private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    private final Runtime runtime = Runtime.getRuntime();
    private final int code = ExitCode.OUT_OF_MEMORY.number();
    private final AtomicReference<byte @Nullable []> reserve = new AtomicReference<>(new byte[RESERVE]);

    @Override
    public void run() {
        if (reserve.getAndSet(null) == null) {
            // Another thread writes the line and ends the process.
            return;
        }
        try {
            err.write(line);
        } catch (IOException e) {
            // The error stream is closed. The exit code suffices.
            runtime.halt(code);
        } finally {
            runtime.halt(code);
        }
    }
}
