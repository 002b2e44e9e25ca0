package io.penstock.experiments.io.appends;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A way to append records to a file. */
enum AppendWay {
    CONVENTIONAL("conventional") {
        @Override
        Appender open(Path file) throws IOException {
            return new ConventionalAppender(FileChannel.open(file, OPTIONS));
        }
    },
    DEFAULT_GROUP("asynchronous, default group") {
        @Override
        Appender open(Path file) throws IOException {
            return asynchronous(file, null);
        }
    },
    BOUNDED_POOL("asynchronous, 5 threads, queue of 2,500, caller runs") {
        @Override
        Appender open(Path file) throws IOException {
            return asynchronous(
                    file,
                    new ThreadPoolExecutor(
                            5,
                            5,
                            0,
                            TimeUnit.SECONDS,
                            new ArrayBlockingQueue<>(2500),
                            new ThreadPoolExecutor.CallerRunsPolicy()));
        }
    },
    SINGLE_THREAD("asynchronous, one thread, no bound") {
        @Override
        Appender open(Path file) throws IOException {
            return asynchronous(file, Executors.newSingleThreadExecutor());
        }
    };

    private static final Set<OpenOption> OPTIONS =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);

    private final String label;

    AppendWay(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /** Opens a file for appending. The old content is removed, and the first record has the number 1. */
    abstract Appender open(Path file) throws IOException;

    private static Appender asynchronous(Path file, @Nullable ExecutorService pool) throws IOException {
        return new AsynchronousAppender(AsynchronousFileChannel.open(file, OPTIONS, pool), pool);
    }
}
