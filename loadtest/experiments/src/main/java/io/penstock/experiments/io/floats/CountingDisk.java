package io.penstock.experiments.io.floats;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/** Counts the reads and writes, each of which is a system call. Opening and closing are not counted. */
final class CountingDisk implements Disk {
    private final Disk disk;
    private long calls;

    CountingDisk(Disk disk) {
        this.disk = disk;
    }

    long calls() {
        return calls;
    }

    @Override
    public OutputStream write() throws IOException {
        return new FilterOutputStream(disk.write()) {
            @Override
            public void write(int b) throws IOException {
                calls++;
                out.write(b);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                calls++;
                out.write(bytes, offset, length);
            }
        };
    }

    @Override
    public InputStream read() throws IOException {
        return new FilterInputStream(disk.read()) {
            @Override
            public int read() throws IOException {
                calls++;
                return in.read();
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                calls++;
                return in.read(bytes, offset, length);
            }
        };
    }

    @Override
    public ByteChannel channelToWrite() throws IOException {
        return new CountingChannel(disk.channelToWrite());
    }

    @Override
    public ByteChannel channelToRead() throws IOException {
        return new CountingChannel(disk.channelToRead());
    }

    private final class CountingChannel implements ByteChannel {
        private final ByteChannel channel;

        CountingChannel(ByteChannel channel) {
            this.channel = channel;
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            calls++;
            return channel.read(to);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            calls++;
            return channel.write(from);
        }

        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
