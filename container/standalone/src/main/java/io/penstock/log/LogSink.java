package io.penstock.log;

import io.penstock.limits.ServerLogging;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes each record to the error stream, with one call for a whole record. Thread: any. */
final class LogSink {
    private final @Nullable PrintStream given;
    private volatile ServerLogging settings = ServerLogging.defaults();

    /** Creates a sink for {@link System#err}. Each write uses the stream that {@code System.err} has at that time. */
    LogSink() {
        given = null;
    }

    LogSink(PrintStream out) {
        given = out;
    }

    void use(ServerLogging next) {
        settings = next;
    }

    void write(LogRecord one) {
        ServerLogging now = settings;
        byte[] bytes = now.format() == ServerLogging.Format.JSON
                ? one.json(now.node()).getBytes(StandardCharsets.UTF_8)
                : one.text().getBytes(Charset.defaultCharset());
        PrintStream out = given == null ? System.err : given;
        synchronized (out) {
            out.write(bytes, 0, bytes.length);
            out.flush();
        }
    }
}
