package io.penstock.experiments.io.floats;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.ByteChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Opens the file of the floats. Each read or write on an opened stream or channel is a system call. */
interface Disk {
    OutputStream write() throws IOException;

    InputStream read() throws IOException;

    ByteChannel channelToWrite() throws IOException;

    ByteChannel channelToRead() throws IOException;

    static Disk file(Path path) {
        return new Disk() {
            @Override
            public OutputStream write() throws IOException {
                return new FileOutputStream(path.toFile());
            }

            @Override
            public InputStream read() throws IOException {
                return new FileInputStream(path.toFile());
            }

            @Override
            public ByteChannel channelToWrite() throws IOException {
                return FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
            }

            @Override
            public ByteChannel channelToRead() throws IOException {
                return FileChannel.open(path, StandardOpenOption.READ);
            }
        };
    }
}
