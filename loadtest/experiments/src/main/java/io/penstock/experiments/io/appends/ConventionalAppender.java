package io.penstock.experiments.io.appends;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Appends records with blocking calls. Each record is written before the next record is accepted. */
final class ConventionalAppender implements Appender {
    private final FileChannel channel;
    private long accepted;

    ConventionalAppender(FileChannel channel) {
        this.channel = channel;
    }

    @Override
    public void append() throws IOException {
        ByteBuffer record = Records.encode(accepted + 1);
        while (record.hasRemaining()) {
            channel.write(record);
        }
        accepted++;
    }

    @Override
    public long accepted() {
        return accepted;
    }

    @Override
    public void closeAndWait() throws IOException {
        try (channel) {
            channel.force(true);
        }
    }

    @Override
    public void closePlainly() throws IOException {
        channel.close();
    }
}
