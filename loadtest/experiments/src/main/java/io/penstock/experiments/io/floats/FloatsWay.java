package io.penstock.experiments.io.floats;

import io.penstock.experiments.io.measure.WholeFile;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/** A way to write an array of floats to a file, and to read it. All ways write the same bytes. */
public enum FloatsWay {
    /** The way of a simple program: data streams without buffers. */
    ONE_BY_ONE("one by one, data stream") {
        @Override
        void write(float[] floats, ByteBuffer room, Disk disk) throws IOException {
            writeEach(floats, disk.write());
        }

        @Override
        void read(float[] floats, ByteBuffer room, Disk disk) throws IOException {
            readEach(floats, disk.read());
        }
    },
    ONE_BY_ONE_BUFFERED("one by one, buffered data stream") {
        @Override
        void write(float[] floats, ByteBuffer room, Disk disk) throws IOException {
            writeEach(floats, new BufferedOutputStream(disk.write()));
        }

        @Override
        void read(float[] floats, ByteBuffer room, Disk disk) throws IOException {
            readEach(floats, new BufferedInputStream(disk.read()));
        }
    },
    BLOCK("one block, FloatBuffer view") {
        @Override
        void write(float[] floats, ByteBuffer room, Disk disk) throws IOException {
            try (ByteChannel channel = disk.channelToWrite()) {
                room.clear();
                room.asFloatBuffer().put(floats);
                WholeFile.writeAll(room, channel);
            }
        }

        @Override
        void read(float[] floats, ByteBuffer room, Disk disk) throws IOException {
            try (ByteChannel channel = disk.channelToRead()) {
                room.clear();
                while (room.hasRemaining()) {
                    if (channel.read(room) < 0) {
                        throw new EOFException("the file holds fewer floats than the array");
                    }
                }
                room.flip().asFloatBuffer().get(floats);
            }
        }
    };

    private final String label;

    FloatsWay(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /**
     * Writes all floats.
     *
     * @param room a buffer with the size of all floats, for the ways that need a buffer
     */
    abstract void write(float[] floats, ByteBuffer room, Disk disk) throws IOException;

    /** Reads floats from the file until the array is full. */
    abstract void read(float[] floats, ByteBuffer room, Disk disk) throws IOException;

    private static void writeEach(float[] floats, OutputStream to) throws IOException {
        try (DataOutputStream out = new DataOutputStream(to)) {
            for (float one : floats) {
                out.writeFloat(one);
            }
        }
    }

    private static void readEach(float[] floats, InputStream from) throws IOException {
        try (DataInputStream in = new DataInputStream(from)) {
            for (int i = 0; i < floats.length; i++) {
                floats[i] = in.readFloat();
            }
        }
    }
}
