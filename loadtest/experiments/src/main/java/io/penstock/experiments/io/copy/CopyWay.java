package io.penstock.experiments.io.copy;

import io.penstock.experiments.io.measure.WholeFile;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A way to copy a file, which replaces another file. The array and the buffers have the same length, so only the way of copying differs.
 */
public enum CopyWay {
    STREAM("stream, 16 KiB array") {
        @Override
        void copy(Path from, Path to) throws IOException {
            byte[] array = new byte[LENGTH];
            try (InputStream in = new FileInputStream(from.toFile());
                    OutputStream out = new FileOutputStream(to.toFile())) {
                for (int n = in.read(array); n >= 0; n = in.read(array)) {
                    out.write(array, 0, n);
                }
            }
        }
    },
    HEAP_BUFFER("heap buffer, 16 KiB") {
        @Override
        void copy(Path from, Path to) throws IOException {
            through(ByteBuffer.allocate(LENGTH), from, to);
        }
    },
    DIRECT_BUFFER("direct buffer, 16 KiB") {
        @Override
        void copy(Path from, Path to) throws IOException {
            through(ByteBuffer.allocateDirect(LENGTH), from, to);
        }
    },
    MAPPED("mapped source") {
        @Override
        void copy(Path from, Path to) throws IOException {
            try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
                    FileChannel out = replace(to)) {
                WholeFile.map(WholeFile.readOnly(in), in.size(), WholeFile.WINDOW, out);
            }
        }
    },
    TRANSFER_TO("transferTo") {
        @Override
        void copy(Path from, Path to) throws IOException {
            try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
                    FileChannel out = replace(to)) {
                WholeFile.transfer(in::transferTo, in.size(), out);
            }
        }
    };

    private static final int LENGTH = 16 << 10;

    private final String label;

    CopyWay(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    abstract void copy(Path from, Path to) throws IOException;

    private static void through(ByteBuffer buffer, Path from, Path to) throws IOException {
        try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
                FileChannel out = replace(to)) {
            while (in.read(buffer) >= 0) {
                WholeFile.writeAll(buffer.flip(), out);
                buffer.clear();
            }
        }
    }

    private static FileChannel replace(Path file) throws IOException {
        return FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
    }
}
